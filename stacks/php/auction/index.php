<?php

declare(strict_types=1);

namespace Auction;

use Common\FrontController;
use Common\Route;
use Common\Templates;

require __DIR__ . '/../common/autoload.php';

$routes = [
    '/auction/index.html' => Route::file(),
    '/auction/register.html' => Route::file(),
    '/auction/RegisterUser' => Route::post(static fn(): RegisterUser => new RegisterUser()),
    '/auction/browse.html' => Route::file(),
    '/auction/BrowseCategories' => Route::get(static fn(): BrowseCategories => new BrowseCategories()),
    '/auction/SearchItemsInCategory' => Route::get(
        static fn(): SearchItemsInCategory => new SearchItemsInCategory(),
    ),
    '/auction/ViewItem' => Route::get(static fn(): ViewItem => new ViewItem()),
    '/auction/PutBidAuth' => Route::get(static fn(): PutBidAuth => new PutBidAuth()),
    '/auction/PutBid' => Route::post(static fn(): PutBid => new PutBid()),
    '/auction/StoreBid' => Route::post(static fn(): StoreBid => new StoreBid()),
    '/auction/style.css' => Route::file(),
];

(new FrontController($routes, new Templates(__DIR__ . '/pages')))->run();
