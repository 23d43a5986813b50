<?php

declare(strict_types=1);

namespace Auction;

use Common\Money;

/** What somebody offers for an item. */
final readonly class Offer
{
    public function __construct(
        public int $user,
        public int $item,
        public Money $bid,
        public Money $maxBid,
        public int $quantity,
    ) {}
}
