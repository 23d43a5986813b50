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

/** Logs a buyer in and shows the item with the form for the purchase. */
final readonly class BuyNow implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $id = $visit->form->id('itemId');
        $user = LogIn::read($visit->form)->user($visit->database);
        $item = Items::forSale($visit->database, $id);
        ItemRules::checkBuyer($item, $user);
        return new Page("Buy {$item->name()} now", 'buy_now', [
            'item' => $item,
            'seller' => Users::nickname($visit->database, $item->seller()),
            'token' => $visit->tokenKey->sign($user),
        ]);
    }
}
