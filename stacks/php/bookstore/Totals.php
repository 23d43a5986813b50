<?php

declare(strict_types=1);

namespace Bookstore;

use Common\Money;

/** What an order costs. */
final readonly class Totals
{
    /** In hundredths of a percent. */
    private const TAX = 825;

    /** What sending an order costs, and what each of its lines adds, in cents. */
    private const SHIPPING = 300;

    private const SHIPPING_OF_A_LINE = 100;

    public Money $subTotal;

    public Money $tax;

    public Money $shipping;

    public Money $total;

    /** @param list<CartLine> $lines */
    public function __construct(array $lines)
    {
        $subTotal = Money::ofCents(0);
        foreach ($lines as $line) {
            $subTotal = $subTotal->plus($line->amount());
        }
        $this->subTotal = $subTotal;
        $this->tax = $subTotal->parts(self::TAX);
        $this->shipping = Money::ofCents(self::SHIPPING + (self::SHIPPING_OF_A_LINE * count($lines)));
        $this->total = $subTotal->plus($this->tax)->plus($this->shipping);
    }
}
