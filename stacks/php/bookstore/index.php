<?php

declare(strict_types=1);

namespace Bookstore;

use Common\FrontController;
use Common\Interaction;
use Common\Route;
use Common\Templates;

require __DIR__ . '/../common/autoload.php';

$routes = [
    '/bookstore/Home' => Route::get(static fn(): Interaction => new Interactions\Home()),
    '/bookstore/NewProducts' => Route::get(static fn(): Interaction => new Interactions\NewProducts()),
    '/bookstore/BestSellers' => Route::get(static fn(): Interaction => new Interactions\BestSellers()),
    '/bookstore/ProductDetail' => Route::get(static fn(): Interaction => new Interactions\ProductDetail()),
    '/bookstore/SearchRequest' => Route::get(static fn(): Interaction => new Interactions\SearchRequest()),
    '/bookstore/SearchResults' => Route::get(static fn(): Interaction => new Interactions\SearchResults()),
    '/bookstore/ShoppingCart' => Route::post(static fn(): Interaction => new Interactions\ShoppingCart()),
    '/bookstore/CustomerRegistration' => Route::get(
        static fn(): Interaction => new Interactions\CustomerRegistration(),
    ),
    '/bookstore/BuyRequest' => Route::post(static fn(): Interaction => new Interactions\BuyRequest()),
    '/bookstore/BuyConfirm' => Route::post(static fn(): Interaction => new Interactions\BuyConfirm()),
    '/bookstore/OrderInquiry' => Route::get(static fn(): Interaction => new Interactions\OrderInquiry()),
    '/bookstore/OrderDisplay' => Route::post(static fn(): Interaction => new Interactions\OrderDisplay()),
    '/bookstore/AdminRequest' => Route::get(static fn(): Interaction => new Interactions\AdminRequest()),
    '/bookstore/AdminConfirm' => Route::post(static fn(): Interaction => new Interactions\AdminConfirm()),
];

(new FrontController($routes, new Templates(__DIR__ . '/pages')))->run();
