<?php

declare(strict_types=1);

namespace Auction;

use Common\Money;

/** Who would pay most for an item so far. */
final readonly class Leader
{
    public function __construct(
        public int $user,
        public Money $most,
        public int $quantity,
    ) {}
}
