<?php

declare(strict_types=1);

namespace Auction;

/**
 * Proxy bidding: the auction bids for the leader, by as little as it takes and up to the most that they would pay. This
 * is what comes of one accepted offer: the bidder's own bid and, if the leader stays ahead, the answer for them.
 */
final readonly class Bidding
{
    private function __construct(
        public Bid $own,
        public ?Bid $answer = null,
    ) {}

    public static function settle(Bid $offer, ?Leader $leader): self
    {
        if ($leader === null || $leader->user === $offer->user) {
            return new self($offer);
        }
        if ($leader->most->isLessThan($offer->most)) {
            $enough = $leader->most->plusOneCent()->atMost($offer->most);
            return new self($offer->at($offer->amount->atLeast($enough)));
        }
        return new self($offer->at($offer->most), self::answer($offer, $leader));
    }

    /** The bid that leads from now on. */
    public function leading(): Bid
    {
        return $this->answer ?? $this->own;
    }

    /** @return non-empty-list<Bid> all bids, in the order in which they are recorded */
    public function bids(): array
    {
        return $this->answer === null ? [$this->own] : [$this->own, $this->answer];
    }

    private static function answer(Bid $offer, Leader $leader): Bid
    {
        $amount = $offer->most->plusOneCent()->atMost($leader->most);
        return new Bid($leader->user, $offer->item, $amount, $leader->most, $leader->quantity);
    }
}
