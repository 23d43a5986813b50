<?php

declare(strict_types=1);

// A class stands in the file that its name says: Common\Money in common/Money.php, Auction\Item in auction/Item.php.
spl_autoload_register(static function (string $class): void {
    require dirname(__DIR__) . '/' . strtr(lcfirst($class), '\\', '/') . '.php';
});

require __DIR__ . '/html.php';
require __DIR__ . '/text.php';
