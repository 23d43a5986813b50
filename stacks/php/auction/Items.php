<?php

declare(strict_types=1);

namespace Auction;

use Common\Database;
use Common\Fault;

/** The items: those for sale, with those that have closed lately, and the old ones in a table of their own. */
final class Items
{
    private const FACTS = 'name, description, initial_price, quantity, buy_now, nb_of_bids, max_bid, start_date, end_date, seller, category,
                end_date >= NOW() AS open';

    /**
     * All that the page of an item for sale shows.
     *
     * @throws Fault if there is no such item
     */
    public static function forSale(Database $database, int $id): Item
    {
        return self::find($database, self::FACTS, 'items', $id) ?? throw Fault::unknown('item', $id);
    }

    /**
     * The same of any item, however old.
     *
     * @throws Fault if there is no such item
     */
    public static function any(Database $database, int $id, string $columns = self::FACTS): Item
    {
        $item = self::find($database, $columns, 'items', $id);
        $item ??= self::find($database, $columns, 'old_items', $id);
        return $item ?? throw Fault::unknown('item', $id);
    }

    /**
     * Within a transaction: some columns of an item for sale, which nobody else can change until it ends. What is read
     * afterwards was written before.
     *
     * @throws Fault if there is no such item
     */
    public static function lock(Database $database, int $id, string $columns): Item
    {
        $item = self::find($database, $columns, 'items', $id, ' FOR UPDATE');
        return $item ?? throw Fault::unknown('item', $id);
    }

    private static function find(
        Database $database,
        string $columns,
        string $table,
        int $id,
        string $lock = '',
    ): ?Item {
        $row = $database->row("SELECT {$columns} FROM {$table} WHERE id = ?{$lock}", $id);
        return $row === null ? null : new Item($id, $row);
    }
}
