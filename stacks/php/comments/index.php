<?php

declare(strict_types=1);

namespace Comments;

use Common\FrontController;
use Common\Interaction;
use Common\Route;
use Common\Templates;

require __DIR__ . '/../common/autoload.php';

$routes = [
    '/comments/index.html' => Route::file(),
    '/comments/StoreComment' => Route::post(static fn(): Interaction => new Interactions\StoreComment()),
    '/comments/ListComments' => Route::get(static fn(): Interaction => new Interactions\ListComments()),
    '/comments/style.css' => Route::file(),
    '/comments/logo.svg' => Route::file(),
];

(new FrontController($routes, new Templates(__DIR__ . '/pages')))->run();
