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
    '/auction/RegisterUser' => Route::post(static fn() => new RegisterUser()),
    '/auction/browse.html' => Route::file(),
    '/auction/BrowseCategories' => Route::get(static fn() => new BrowseCategories()),
    '/auction/SearchItemsInCategory' => Route::get(static fn() => new SearchItemsInCategory()),
    '/auction/ViewItem' => Route::get(static fn() => new ViewItem()),
    '/auction/PutBidAuth' => Route::get(static fn() => new PutBidAuth()),
    '/auction/PutBid' => Route::post(static fn() => new PutBid()),
    '/auction/StoreBid' => Route::post(static fn() => new StoreBid()),
    '/auction/style.css' => Route::file(),
];

(new FrontController($routes, new Templates(__DIR__ . '/pages')))->run();
