<?php

declare(strict_types=1);

namespace Bookstore;

use Common\Database;
use Common\Fault;
use Common\Row;

/** A change of a cart. */
final readonly class CartChange
{
    public function __construct(
        private Database $database,
        private CartUpdate $update,
        /** How many books the bookstore has. */
        private int $items,
    ) {}

    /**
     * Makes the change, in a new cart if there is none or it was ordered. Into a cart in which nothing would be left a book
     * is put that its number chooses.
     *
     * @throws Fault if there is no such cart, or it holds too many books
     */
    public function make(?int $cart): ChangedCart
    {
        return $this->database->transaction(
            ['shopping_cart', 'shopping_cart_line'],
            /** @throws Fault */
            function () use ($cart): ChangedCart {
                $isOpen = $cart !== null && Cart::lock($this->database, $cart) === null;
                return $this->change($isOpen ? $cart : null);
            },
        );
    }

    /** @throws Fault */
    private function change(?int $open): ChangedCart
    {
        $lines = $open === null ? [] : Cart::lines($this->database, $open);
        $content = CartContent::of($lines, $this->update);
        $cart = $open === null ? $this->begin() : $this->touch($open);
        $this->write($lines, $content);
        $added = $content->added(otherwise: Books::scattered($cart, $this->items));
        if ($added !== null) {
            $this->insert($cart, $added);
        }
        return new ChangedCart($cart, isNew: $open === null, wasEmpty: $content->isEmpty());
    }

    private function begin(): int
    {
        return $this->database->insertKeyed(
            'sc_id',
            'INSERT INTO shopping_cart (sc_time, sc_o_id) VALUES (NOW(), NULL)',
        );
    }

    private function touch(int $cart): int
    {
        $this->database->update('UPDATE shopping_cart SET sc_time = NOW() WHERE sc_id = ?', $cart);
        return $cart;
    }

    /**
     * Each line is changed by its own id, which locks nothing that another cart's owner might want.
     *
     * @param list<Row> $lines
     */
    private function write(array $lines, CartContent $content): void
    {
        $wanted = static fn(Row $line): int => $content->quantity($line->int('scl_i_id'));
        foreach (array_filter($lines, static fn(Row $line): bool => $wanted($line) === 0) as $line) {
            $this->database->update('DELETE FROM shopping_cart_line WHERE scl_id = ?', $line->int('scl_id'));
        }
        foreach ($lines as $line) {
            $quantity = $wanted($line);
            if ($quantity !== 0 && $quantity !== $line->int('scl_qty')) {
                $statement = 'UPDATE shopping_cart_line SET scl_qty = ? WHERE scl_id = ?';
                $this->database->update($statement, $quantity, $line->int('scl_id'));
            }
        }
    }

    private function insert(int $cart, int $item): void
    {
        $this->database->insertKeyed(
            'scl_id',
            'INSERT INTO shopping_cart_line (scl_sc_id, scl_i_id, scl_qty) VALUES (?, ?, 1)',
            $cart,
            $item,
        );
    }
}
