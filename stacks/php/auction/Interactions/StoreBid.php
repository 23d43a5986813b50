<?php

declare(strict_types=1);

namespace Auction\Interactions;

use Auction\Bid;
use Auction\Bidding;
use Auction\ItemRules;
use Auction\Items;
use Auction\Leader;
use Auction\Refusal;
use Common\Database;
use Common\Fault;
use Common\Interaction;
use Common\Page;
use Common\Visit;

/** Records a bid, with the answer to it if there is one, and raises the price of its item. */
final readonly class StoreBid implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $offer = self::read($visit);
        $database = $visit->database;
        [$id, $bidding] = $database->transaction(
            ['items', 'bids'],
            /**
             * @return array{int, Bidding}
             *
             * @throws Fault
             */
            static fn(): array => self::record($database, $offer),
        );
        return new Page('Your bid is placed', 'store_bid', [
            'id' => $id,
            'bid' => $bidding->own,
            'leads' => $bidding->answer === null,
            'price' => $bidding->leading()->amount,
        ]);
    }

    /** @throws Fault */
    private static function read(Visit $visit): Bid
    {
        $item = $visit->form->id('itemId');
        $token = $visit->form->text('token', 100);
        $amount = $visit->form->money('bid');
        $most = $visit->form->money('maxBid');
        $quantity = $visit->form->whole('qty', 0, 999_999_999);
        $user = $visit->tokenKey->verify($token) ?? throw Refusal::wrongToken();
        return new Bid($user, $item, $amount, $most, $quantity);
    }

    /**
     * Returns the id of the bidder's own bid, and what came of it.
     *
     * @return array{int, Bidding}
     *
     * @throws Fault
     */
    private static function record(Database $database, Bid $offer): array
    {
        $columns = "initial_price, quantity, max_bid, seller, end_date >= {$database->now()} AS open";
        ItemRules::checkBid(Items::lock($database, $offer->item, $columns), $offer);
        $bidding = Bidding::settle($offer, self::leader($database, $offer->item));
        $ids = array_map(static fn(Bid $bid): int => self::insert($database, $bid), $bidding->bids());
        $database->update(
            'UPDATE items SET nb_of_bids = nb_of_bids + ?, max_bid = ? WHERE id = ?',
            count($ids),
            $bidding->leading()->amount,
            $offer->item,
        );
        return [$ids[0], $bidding];
    }

    private static function leader(Database $database, int $item): ?Leader
    {
        $row = $database->row(
            'SELECT user_id, qty, max_bid FROM bids WHERE item_id = ? ORDER BY max_bid DESC, id LIMIT 1',
            $item,
        );
        return $row === null
            ? null
            : new Leader($row->int('user_id'), $row->money('max_bid'), $row->int('qty'));
    }

    private static function insert(Database $database, Bid $bid): int
    {
        return $database->insert(
            "INSERT INTO bids (user_id, item_id, qty, bid, max_bid, date) VALUES (?, ?, ?, ?, ?, {$database->now()})",
            $bid->user,
            $bid->item,
            $bid->quantity,
            $bid->amount,
            $bid->most,
        );
    }
}
