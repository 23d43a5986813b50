<?php

declare(strict_types=1);

namespace Auction\Interactions;

use Auction\Item;
use Auction\ItemRules;
use Auction\Items;
use Auction\Purchase;
use Auction\Refusal;
use Common\Database;
use Common\Fault;
use Common\Interaction;
use Common\Page;
use Common\Visit;

/** Records a purchase and takes it from what there is of the item. */
final readonly class StoreBuyNow implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $purchase = self::read($visit);
        $database = $visit->database;
        [$id, $item] = $database->transaction(
            ['items', 'buy_now'],
            /**
             * @return array{int, Item}
             *
             * @throws Fault
             */
            static fn(): array => self::record($database, $purchase),
        );
        return new Page('You have bought it', 'store_buy_now', [
            'id' => $id,
            'purchase' => $purchase,
            'item' => $item,
        ]);
    }

    /** @throws Fault */
    private static function read(Visit $visit): Purchase
    {
        $item = $visit->form->id('itemId');
        $token = $visit->form->text('token', 100);
        $quantity = $visit->form->whole('qty', 0, 999_999_999);
        return new Purchase(
            $visit->tokenKey->verify($token) ?? throw Refusal::wrongToken(),
            $item,
            $quantity,
        );
    }

    /**
     * Returns the id of the purchase, and the item as it was before.
     *
     * @return array{int, Item}
     *
     * @throws Fault
     */
    private static function record(Database $database, Purchase $purchase): array
    {
        $columns = "initial_price, quantity, buy_now, max_bid, seller, end_date >= {$database->now()} AS open";
        $item = Items::lock($database, $purchase->item, $columns);
        ItemRules::checkPurchase($item, $purchase);
        $id = $database->insert(
            "INSERT INTO buy_now (buyer_id, item_id, qty, date) VALUES (?, ?, ?, {$database->now()})",
            $purchase->buyer,
            $purchase->item,
            $purchase->quantity,
        );
        self::take($database, $item, $purchase->quantity);
        return [$id, $item];
    }

    /** The last copy closes the auction at once. */
    private static function take(Database $database, Item $item, int $quantity): void
    {
        if ($quantity < $item->quantity()) {
            $database->update('UPDATE items SET quantity = quantity - ? WHERE id = ?', $quantity, $item->id);
            return;
        }
        $database->update(
            "UPDATE items SET quantity = 0, end_date = {$database->now()} - INTERVAL '1' SECOND WHERE id = ?",
            $item->id,
        );
    }
}
