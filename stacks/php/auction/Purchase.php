<?php

declare(strict_types=1);

namespace Auction;

/** How much of an item somebody buys at once. */
final readonly class Purchase
{
    public function __construct(
        public int $buyer,
        public int $item,
        public int $quantity,
    ) {}
}
