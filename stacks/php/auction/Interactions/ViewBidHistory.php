<?php

declare(strict_types=1);

namespace Auction\Interactions;

use Auction\Items;
use Common\Interaction;
use Common\Page;
use Common\Visit;

/** All bids on an item, the latest on top. */
final readonly class ViewBidHistory implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $item = Items::any($visit->database, $visit->form->id('itemId'), 'name');
        $bids = $visit->database->rows(
            'SELECT b.user_id, u.nickname, b.bid, b.qty, b.date FROM bids b JOIN users u ON u.id = b.user_id
                WHERE b.item_id = ? ORDER BY b.date DESC, b.id DESC',
            $item->id,
        );
        return new Page("Bids on {$item->name()}", 'view_bid_history', ['item' => $item, 'bids' => $bids]);
    }
}
