<?php

declare(strict_types=1);

namespace Auction;

use Common\Fault;

/** What users may do with an item. Rules are checked in the order in which they stand here; the first broken one counts. */
final class ItemRules
{
    /** @throws Fault if a user may not bid on an item */
    public static function checkBidder(Item $item, int $user): void
    {
        if (!$item->isOpen()) {
            throw Refusal::closed($item->id);
        }
        if ($item->seller() === $user) {
            throw Refusal::ownItem($item->id);
        }
    }

    /** @throws Fault */
    public static function checkBid(Item $item, Bid $offer): void
    {
        self::checkBidder($item, $offer->user);
        self::checkQuantity($item, $offer->quantity);
        if ($offer->amount->isLessThan($item->leastBid())) {
            throw Refusal::bidTooLow($item->id, $item->leastBid());
        }
        if ($offer->most->isLessThan($offer->amount)) {
            throw Refusal::mostBelowBid($item->id);
        }
    }

    /** @throws Fault if a user may not buy an item at once */
    public static function checkBuyer(Item $item, int $user): void
    {
        self::checkBidder($item, $user);
        if ($item->priceAtOnce() === null) {
            throw Refusal::notForSaleAtOnce($item->id);
        }
    }

    /** @throws Fault */
    public static function checkPurchase(Item $item, Purchase $purchase): void
    {
        self::checkBuyer($item, $purchase->buyer);
        self::checkQuantity($item, $purchase->quantity);
    }

    /** @throws Fault if one user may not rate another one for an item */
    public static function checkComment(Item $item, int $from, int $to): void
    {
        if ($item->seller() !== $to) {
            throw Refusal::wrongSeller($item->id, $to);
        }
        if ($from === $to) {
            throw Refusal::ownItem($item->id);
        }
    }

    /** @throws Fault */
    private static function checkQuantity(Item $item, int $wanted): void
    {
        if ($wanted < 1 || $wanted > $item->quantity()) {
            throw Refusal::wrongQuantity($item->id, $item->quantity());
        }
    }
}
