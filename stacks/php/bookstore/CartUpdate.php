<?php

declare(strict_types=1);

namespace Bookstore;

use Common\Database;
use Common\Fault;
use Common\Form;

/** A requested change of a cart: quantities of its books, and perhaps a book to add. */
final readonly class CartUpdate
{
    /** @param array<int, int> $quantities of books by their ids; 0 takes one out */
    private function __construct(
        private array $quantities,
        public ?int $added,
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
            $quantities = self::line($form, "I_ID_{$line}", "QTY_{$line}") + $quantities;
        }
        return new self($quantities, $adds ? $item : null);
    }

    /**
     * A book with its quantity, or nothing.
     *
     * @return array<int, int>
     *
     * @throws Fault
     */
    private static function line(Form $form, string $item, string $quantity): array
    {
        $id = $form->isAbsent($item) ? null : $form->id($item);
        $number = $form->isAbsent($quantity) ? null : $form->whole($quantity, 0, Cart::MOST_COPIES);
        return match (true) {
            $id !== null && $number !== null => [$id => $number],
            $id !== null => throw Fault::parameter($quantity),
            $number !== null => throw Fault::parameter($item),
            default => [],
        };
    }

    /** @throws Fault if there is no such book as is to be added */
    public function check(Database $database): void
    {
        if ($this->added === null) {
            return;
        }
        if ($database->row('SELECT i_id FROM item WHERE i_id = ?', $this->added) === null) {
            throw Fault::unknown('book', $this->added);
        }
    }

    /** The quantity that a book in the cart is to have. */
    public function quantity(int $item, int $now): int
    {
        return $this->quantities[$item] ?? $now;
    }
}
