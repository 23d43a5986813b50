<?php

declare(strict_types=1);

namespace Comments;

use Common\FrontController;
use Common\Interaction;
use Common\Route;
use Common\Templates;

require __DIR__ . '/../common/autoload.php';

$routes = [
    '/comments/StoreComment' => Route::post(static fn(): Interaction => new Interactions\StoreComment()),
    '/comments/ListComments' => Route::get(static fn(): Interaction => new Interactions\ListComments()),
];

(new FrontController($routes, new Templates(__DIR__ . '/pages')))->run();
