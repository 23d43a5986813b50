<?php

declare(strict_types=1);

namespace Auction;

use Common\Database;
use Common\Fault;
use Common\Form;
use Common\Interaction;
use Common\Page;
use Common\TokenKey;
use Common\Visit;

/** Records a bid and raises the price of its item. */
final readonly class StoreBid implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $offer = self::read($visit->form, $visit->tokenKey);
        $database = $visit->database;
        $id = $database->transaction(
            ['items', 'bids'],
            /** @throws Fault */ static function () use ($database, $offer): int {
                self::lock($database, $offer->item)->check($offer);
                return self::record($database, $offer);
            },
        );
        return new Page('Your bid is placed', 'store_bid', ['id' => $id, 'offer' => $offer]);
    }

    /** @throws Fault */
    private static function read(Form $form, TokenKey $tokenKey): Offer
    {
        $item = $form->id('itemId');
        $token = $form->text('token', 100);
        $bid = $form->money('bid');
        $maxBid = $form->money('maxBid');
        $quantity = $form->whole('qty', 0, 999_999_999);
        return new Offer($tokenKey->verify($token), $item, $bid, $maxBid, $quantity);
    }

    /**
     * Reads the item, which nobody else can bid on until the transaction ends.
     *
     * @throws Fault
     */
    private static function lock(Database $database, int $item): Item
    {
        $row = $database->row(
            'SELECT initial_price, quantity, max_bid, end_date >= NOW() AS open FROM items WHERE id = ? FOR UPDATE',
            $item,
        );
        return new Item($item, $row ?? throw Fault::unknown('item', $item));
    }

    /** Returns the new bid's id. */
    private static function record(Database $database, Offer $offer): int
    {
        $id = $database->insert(
            'INSERT INTO bids (user_id, item_id, qty, bid, max_bid, date) VALUES (?, ?, ?, ?, ?, NOW())',
            $offer->user,
            $offer->item,
            $offer->quantity,
            $offer->bid,
            $offer->maxBid,
        );
        $database->update(
            'UPDATE items SET nb_of_bids = nb_of_bids + 1, max_bid = ? WHERE id = ?',
            $offer->bid,
            $offer->item,
        );
        return $id;
    }
}
