<?php

declare(strict_types=1);

namespace Bookstore;

use Common\Database;
use Common\Fault;
use Common\Form;
use Common\Row;

/** What somebody wants of a cart. */
final readonly class CartChange
{
    /** @param list<array{int, int}> $quantities books with their new quantities; 0 takes one out */
    private function __construct(
        private array $quantities,
        private ?int $added,
    ) {}

    /** @throws Fault */
    public static function read(Form $form): self
    {
        $adds = $form->choice('ADD_FLAG', 'Y', 'N') === 'Y';
        $item = $form->isAbsent('I_ID') ? null : $form->id('I_ID');
        if ($adds && $item === null) {
            throw Fault::parameter('I_ID');
        }
        $quantities = [];
        for ($line = 1; $line <= Cart::MOST_LINES; $line++) {
            $quantities[] = self::line($form, "I_ID_{$line}", "QTY_{$line}");
        }
        return new self(array_values(array_filter($quantities)), $adds ? $item : null);
    }

    /**
     * @return array{int, int}|null
     *
     * @throws Fault
     */
    private static function line(Form $form, string $item, string $quantity): ?array
    {
        $id = $form->isAbsent($item) ? null : $form->id($item);
        $number = $form->isAbsent($quantity) ? null : $form->whole($quantity, 0, Cart::MOST_COPIES);
        return match (true) {
            $id !== null && $number !== null => [$id, $number],
            $id !== null => throw Fault::parameter($quantity),
            $number !== null => throw Fault::parameter($item),
            default => null,
        };
    }

    /** @throws Fault if there is no such book as is to be added */
    public function check(Database $database): void
    {
        $added = $this->added;
        if ($added !== null && $database->row('SELECT i_id FROM item WHERE i_id = ?', $added) === null) {
            throw Fault::unknown('book', $added);
        }
    }

    /**
     * Makes the change, in a new cart if there is none or it was ordered. Into a cart in which nothing would be left a book
     * is put that its number chooses.
     *
     * @throws Fault if there is no such cart, or it holds too many books
     */
    public function make(Database $database, ?int $cart, int $items): ChangedCart
    {
        return $database->transaction(
            ['shopping_cart', 'shopping_cart_line'],
            /** @throws Fault */
            function () use ($database, $cart, $items): ChangedCart {
                $isOpen = $cart !== null && Cart::lock($database, $cart) === null;
                return $this->change($database, $isOpen ? $cart : null, $items);
            },
        );
    }

    /** @throws Fault */
    private function change(Database $database, ?int $open, int $items): ChangedCart
    {
        $lines = $open === null ? [] : Cart::lines($database, $open);
        $wanted = $this->wanted($lines);
        $left = count(array_filter($wanted));
        $isEmpty = $left === 0 && $this->added === null;
        $isThere = $this->added !== null && ($wanted[$this->added] ?? 0) > 0;
        if ($this->added !== null && !$isThere && $left === Cart::MOST_LINES) {
            throw Refusal::fullCart(Cart::MOST_LINES);
        }
        if ($open === null) {
            $cart = $database->insertKeyed(
                'sc_id',
                'INSERT INTO shopping_cart (sc_time, sc_o_id) VALUES (NOW(), NULL)',
            );
        } else {
            $cart = $open;
            $database->update('UPDATE shopping_cart SET sc_time = NOW() WHERE sc_id = ?', $cart);
        }
        if ($isThere) {
            $wanted[$this->added] = min($wanted[$this->added] + 1, Cart::MOST_COPIES);
        }
        self::write($database, $lines, $wanted);
        if (!$isThere) {
            $item = $this->added ?? ($isEmpty ? Books::scattered($cart, $items) : null);
            self::insert($database, $cart, $item);
        }
        return new ChangedCart($cart, isNew: $open === null, wasEmpty: $isEmpty);
    }

    /**
     * The quantity of each book that is in the cart, as it is to be.
     *
     * @param list<Row> $lines
     *
     * @return array<int, int>
     */
    private function wanted(array $lines): array
    {
        $wanted = [];
        foreach ($lines as $line) {
            $wanted[$line->int('scl_i_id')] = $line->int('scl_qty');
        }
        foreach ($this->quantities as [$item, $quantity]) {
            if (array_key_exists($item, $wanted)) {
                $wanted[$item] = $quantity;
            }
        }
        return $wanted;
    }

    /**
     * Each line is changed by its own id, which locks nothing that another cart's owner might want.
     *
     * @param list<Row> $lines
     * @param array<int, int> $wanted
     */
    private static function write(Database $database, array $lines, array $wanted): void
    {
        foreach ($lines as $line) {
            $quantity = $wanted[$line->int('scl_i_id')] ?? 0;
            if ($quantity === 0) {
                $database->update('DELETE FROM shopping_cart_line WHERE scl_id = ?', $line->int('scl_id'));
            } elseif ($quantity !== $line->int('scl_qty')) {
                $database->update(
                    'UPDATE shopping_cart_line SET scl_qty = ? WHERE scl_id = ?',
                    $quantity,
                    $line->int('scl_id'),
                );
            }
        }
    }

    private static function insert(Database $database, int $cart, ?int $item): void
    {
        if ($item !== null) {
            $database->insertKeyed(
                'scl_id',
                'INSERT INTO shopping_cart_line (scl_sc_id, scl_i_id, scl_qty) VALUES (?, ?, 1)',
                $cart,
                $item,
            );
        }
    }
}
