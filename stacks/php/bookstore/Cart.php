<?php

declare(strict_types=1);

namespace Bookstore;

use Common\Database;
use Common\Fault;
use Common\Row;

/** A cart and its lines. */
final class Cart
{
    /** How many different books it holds at most. */
    public const MOST_LINES = 10;

    /** How many copies of a book. */
    public const MOST_COPIES = 99;

    /**
     * The order that a cart became; null if it has not been ordered.
     *
     * @throws Fault if there is no such cart
     */
    public static function order(Database $database, int $cart, string $lock = ''): ?int
    {
        $row = $database->row("SELECT sc_o_id FROM shopping_cart WHERE sc_id = ?{$lock}", $cart);
        $row ??= throw Fault::unknown('cart', $cart);
        return $row->isNull('sc_o_id') ? null : $row->int('sc_o_id');
    }

    /**
     * The same within a transaction, while nobody else can change the cart. What is read afterwards was written before.
     *
     * @throws Fault
     */
    public static function lock(Database $database, int $cart): ?int
    {
        return self::order($database, $cart, ' FOR UPDATE');
    }

    /** @throws Fault if it is not there or has been ordered */
    public static function check(Database $database, int $cart): void
    {
        $order = self::order($database, $cart);
        if ($order !== null) {
            throw Refusal::ordered($order);
        }
    }

    /** @return list<Row> the lines alone, in the order in which they came */
    public static function lines(Database $database, int $cart): array
    {
        return $database->rows(
            'SELECT scl_id, scl_i_id, scl_qty FROM shopping_cart_line WHERE scl_sc_id = ? ORDER BY scl_id',
            $cart,
        );
    }

    /** @return list<Row> the lines with some columns of their books */
    public static function books(Database $database, int $cart, string $columns): array
    {
        return $database->rows("SELECT {$columns} FROM shopping_cart_line JOIN item ON i_id = scl_i_id
                WHERE scl_sc_id = ? ORDER BY scl_id", $cart);
    }
}
