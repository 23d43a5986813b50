<?php

declare(strict_types=1);

namespace Auction;

/** What a user says about the seller of an item. */
final readonly class Comment
{
    public function __construct(
        public int $from,
        public int $to,
        public int $item,
        public int $rating,
        public string $text,
    ) {}
}
