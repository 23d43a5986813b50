<?php

declare(strict_types=1);

namespace Bookstore;

use Common\Money;
use Common\Row;

/** A line of a cart with its book, and what a copy of it costs somebody. */
final readonly class CartLine
{
    public int $item;

    public int $quantity;

    public string $title;

    public Money $price;

    /** @param int $discount in percent */
    public function __construct(
        public Row $row,
        int $discount = 0,
    ) {
        $this->item = $row->int('i_id');
        $this->quantity = $row->int('scl_qty');
        $this->title = $row->text('i_title');
        $this->price = $row->money('i_cost')->parts((100 - $discount) * 100);
    }

    public function amount(): Money
    {
        return $this->price->times($this->quantity);
    }
}
