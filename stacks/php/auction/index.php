<?php

declare(strict_types=1);

namespace Auction;

use Common\FrontController;
use Common\Interaction;
use Common\Route;
use Common\Templates;

require __DIR__ . '/../common/autoload.php';

$routes = [
    '/auction/RegisterUser' => Route::post(static fn(): Interaction => new Interactions\RegisterUser()),
    '/auction/BrowseCategories' => Route::get(
        static fn(): Interaction => new Interactions\BrowseCategories(),
    ),
    '/auction/SearchItemsInCategory' => Route::get(
        static fn(): Interaction => new Interactions\SearchItemsInCategory(),
    ),
    '/auction/BrowseRegions' => Route::get(static fn(): Interaction => new Interactions\BrowseRegions()),
    '/auction/BrowseCategoriesInRegion' => Route::get(
        static fn(): Interaction => new Interactions\BrowseCategoriesInRegion(),
    ),
    '/auction/SearchItemsInRegion' => Route::get(
        static fn(): Interaction => new Interactions\SearchItemsInRegion(),
    ),
    '/auction/ViewItem' => Route::get(static fn(): Interaction => new Interactions\ViewItem()),
    '/auction/ViewUserInfo' => Route::get(static fn(): Interaction => new Interactions\ViewUserInfo()),
    '/auction/ViewBidHistory' => Route::get(static fn(): Interaction => new Interactions\ViewBidHistory()),
    '/auction/BuyNowAuth' => Route::get(static fn(): Interaction => new Interactions\LogInForm(
        'Log in to buy now',
        '/auction/BuyNow',
    )),
    '/auction/BuyNow' => Route::post(static fn(): Interaction => new Interactions\BuyNow()),
    '/auction/StoreBuyNow' => Route::post(static fn(): Interaction => new Interactions\StoreBuyNow()),
    '/auction/PutBidAuth' => Route::get(static fn(): Interaction => new Interactions\LogInForm(
        'Log in to bid',
        '/auction/PutBid',
    )),
    '/auction/PutBid' => Route::post(static fn(): Interaction => new Interactions\PutBid()),
    '/auction/StoreBid' => Route::post(static fn(): Interaction => new Interactions\StoreBid()),
    '/auction/PutCommentAuth' => Route::get(
        static fn(): Interaction => new Interactions\LogInForm(
            'Log in to rate the seller',
            '/auction/PutComment',
            ['to'],
        ),
    ),
    '/auction/PutComment' => Route::post(static fn(): Interaction => new Interactions\PutComment()),
    '/auction/StoreComment' => Route::post(static fn(): Interaction => new Interactions\StoreComment()),
    '/auction/SelectCategoryToSellItem' => Route::post(
        static fn(): Interaction => new Interactions\SelectCategoryToSellItem(),
    ),
    '/auction/SellItemForm' => Route::post(static fn(): Interaction => new Interactions\SellItemForm()),
    '/auction/RegisterItem' => Route::post(static fn(): Interaction => new Interactions\RegisterItem()),
    '/auction/AboutMe' => Route::post(static fn(): Interaction => new Interactions\AboutMe()),
];

(new FrontController($routes, new Templates(__DIR__ . '/pages')))->run();
