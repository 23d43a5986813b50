<?php

declare(strict_types=1);

namespace Auction;

use Common\Fault;
use Common\Money;
use Common\Row;

/** What a statement has read of an item, and the rules that concern one item. */
final readonly class Item
{
    public function __construct(
        public int $id,
        private Row $row,
    ) {}

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

    public function quantity(): int
    {
        return $this->row->int('quantity');
    }

    public function numberOfBids(): int
    {
        return $this->row->int('nb_of_bids');
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

    /** @throws Fault if an offer breaks a rule */
    public function check(Offer $offer): void
    {
        $fault = match (true) {
            !$this->isOpen() => Refusal::closed($this->id),
            $offer->quantity < 1 || $offer->quantity > $this->quantity() => Refusal::wrongQuantity(
                $this->id,
                $this->quantity(),
            ),
            $offer->bid->isLessThan($this->leastBid()) => Refusal::bidTooLow($this->id, $this->leastBid()),
            $offer->maxBid->isLessThan($offer->bid) => Refusal::mostBelowBid($this->id),
            default => null,
        };
        if ($fault !== null) {
            throw $fault;
        }
    }

    private function highestBid(): ?Money
    {
        return $this->row->isNull('max_bid') ? null : $this->row->money('max_bid');
    }
}
