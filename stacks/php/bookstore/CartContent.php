<?php

declare(strict_types=1);

namespace Bookstore;

use Common\Fault;
use Common\Row;

/** The books that are in a cart, with the quantities that they are to have. */
final readonly class CartContent
{
    /** @param array<int, int> $quantities by the ids of the books; 0 for what is taken out */
    private function __construct(
        private array $quantities,
        private ?int $added,
    ) {}

    /**
     * What comes of some lines.
     *
     * @param list<Row> $lines
     *
     * @throws Fault if there are too many books
     */
    public static function of(array $lines, CartUpdate $update): self
    {
        $quantities = [];
        foreach ($lines as $line) {
            $item = $line->int('scl_i_id');
            $quantities[$item] = $update->quantity($item, $line->int('scl_qty'));
        }
        if ($update->added === null) {
            return new self($quantities, null);
        }
        $there = $quantities[$update->added] ?? 0;
        if ($there > 0) {
            return new self([$update->added => $there + 1] + $quantities, null);
        }
        if (count(array_filter($quantities)) === Cart::MOST_LINES) {
            throw Refusal::fullCart(Cart::MOST_LINES);
        }
        return new self($quantities, $update->added);
    }

    public function quantity(int $item): int
    {
        return min($this->quantities[$item] ?? 0, Cart::MOST_COPIES);
    }

    /** The book that comes new into the cart; if nothing else would be in it, the given one. */
    public function added(int $otherwise): ?int
    {
        return $this->isEmpty() ? $otherwise : $this->added;
    }

    public function isEmpty(): bool
    {
        return $this->added === null && array_filter($this->quantities) === [];
    }
}
