<?php

declare(strict_types=1);

namespace Auction;

use Common\Money;
use Common\Row;

/** What a statement has read of an item, and what follows from it. */
final readonly class Item
{
    public function __construct(
        public int $id,
        private Row $row,
    ) {}

    /** An item of a list, read with its id. */
    public static function of(Row $row): self
    {
        return new self($row->int('id'), $row);
    }

    public function name(): string
    {
        return $this->row->text('name');
    }

    public function description(): string
    {
        return $this->row->text('description');
    }

    public function initialPrice(): Money
    {
        return $this->row->money('initial_price');
    }

    public function reservePrice(): Money
    {
        return $this->row->money('reserve_price');
    }

    /** The price to buy one at once; 0 if there is none. */
    public function buyNow(): Money
    {
        return $this->row->money('buy_now');
    }

    public function quantity(): int
    {
        return $this->row->int('quantity');
    }

    public function numberOfBids(): int
    {
        return $this->row->int('nb_of_bids');
    }

    public function highestBid(): ?Money
    {
        return $this->row->isNull('max_bid') ? null : $this->row->money('max_bid');
    }

    public function startDate(): string
    {
        return $this->row->text('start_date');
    }

    public function endDate(): string
    {
        return $this->row->text('end_date');
    }

    public function seller(): int
    {
        return $this->row->int('seller');
    }

    public function category(): int
    {
        return $this->row->int('category');
    }

    /** Whether bids were taken when the item was read, up to and including the auction's last second. */
    public function isOpen(): bool
    {
        return $this->row->int('open') === 1;
    }

    /** The current price: the highest bid so far, or else the first price. */
    public function price(): Money
    {
        return $this->highestBid() ?? $this->initialPrice();
    }

    /** The lowest bid that is accepted: a cent above the highest so far, or else the first price. */
    public function leastBid(): Money
    {
        return $this->highestBid()?->plusOneCent() ?? $this->initialPrice();
    }

    /** The price to buy one at once, which an open item offers until the bids reach it. */
    public function priceAtOnce(): ?Money
    {
        return $this->price()->isLessThan($this->buyNow()) ? $this->buyNow() : null;
    }

    /** What came of an auction that is over. */
    public function outcome(): string
    {
        return match (true) {
            $this->quantity() === 0 => 'bought',
            $this->highestBid()?->isLessThan($this->reservePrice()) === false => 'sold',
            default => 'not sold',
        };
    }
}
