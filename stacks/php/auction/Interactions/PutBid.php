<?php

declare(strict_types=1);

namespace Auction\Interactions;

use Auction\ItemRules;
use Auction\Items;
use Auction\LogIn;
use Auction\Users;
use Common\Interaction;
use Common\Page;
use Common\Visit;

/** Logs a bidder in and shows the item with the form for the bid. */
final readonly class PutBid implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $id = $visit->form->id('itemId');
        $user = LogIn::read($visit->form)->user($visit->database);
        $item = Items::forSale($visit->database, $id);
        ItemRules::checkBidder($item, $user);
        return new Page("Bid on {$item->name()}", 'put_bid', [
            'item' => $item,
            'seller' => Users::nickname($visit->database, $item->seller()),
            'token' => $visit->tokenKey->sign($user),
        ]);
    }
}
