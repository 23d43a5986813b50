<?php

declare(strict_types=1);

namespace Auction;

use Common\Money;

/** What somebody offers for an item, or what of it was recorded. */
final readonly class Bid
{
    public function __construct(
        public int $user,
        public int $item,
        public Money $amount,
        public Money $most,
        public int $quantity,
    ) {}

    /** The same, recorded at another amount. */
    public function at(Money $amount): self
    {
        return new self($this->user, $this->item, $amount, $this->most, $this->quantity);
    }
}
