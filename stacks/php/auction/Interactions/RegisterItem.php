<?php

declare(strict_types=1);

namespace Auction\Interactions;

use Auction\Listing;
use Auction\NewItem;
use Auction\Refusal;
use Common\Database;
use Common\Interaction;
use Common\Page;
use Common\Visit;
use RuntimeException;

/** Puts an item up for sale, and takes the fee for it from the seller. */
final readonly class RegisterItem implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $token = $visit->form->text('token', 100);
        $new = NewItem::read($visit->form);
        $seller = $visit->tokenKey->verify($token) ?? throw Refusal::wrongToken();
        $database = $visit->database;
        $category = Listing::Categories->name($database, $new->category);
        $new->check();
        $record = static fn(): int => self::record($database, $new, $seller);
        $id = $database->transaction(['items', 'users'], $record);
        $dates = $database->row('SELECT start_date, end_date FROM items WHERE id = ?', $id);
        return new Page('Your auction has begun', 'register_item', [
            'id' => $id,
            'new' => $new,
            'category' => $category,
            'dates' => $dates ?? throw new RuntimeException("item {$id} is gone"),
        ]);
    }

    /** Returns the id of the item. */
    private static function record(Database $database, NewItem $new, int $seller): int
    {
        $now = $database->now();
        $id = $database->insert(
            "INSERT INTO items (name, description, initial_price, quantity, reserve_price, buy_now, nb_of_bids,
                    start_date, end_date, seller, category)
                VALUES (?, ?, ?, ?, ?, ?, 0, {$now}, {$now} + INTERVAL '{$new->days}' DAY, ?, ?)",
            $new->name,
            $new->description,
            $new->initialPrice,
            $new->quantity,
            $new->reservePrice,
            $new->buyNow,
            $seller,
            $new->category,
        );
        $database->update('UPDATE users SET balance = balance - ' . NewItem::FEE . ' WHERE id = ?', $seller);
        return $id;
    }
}
