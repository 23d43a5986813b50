<?php

declare(strict_types=1);

namespace Auction;

use Common\Database;
use RuntimeException;

/** Who sells an item. */
final class Seller
{
    public static function nickname(Database $database, Item $item): string
    {
        $row = $database->row('SELECT nickname FROM users WHERE id = ?', $item->seller());
        return $row?->text('nickname') ?? throw new RuntimeException("item {$item->id} has no seller");
    }
}
