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

/** Logs the author of a comment in and shows the form for it. */
final readonly class PutComment implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $id = $visit->form->id('itemId');
        $to = $visit->form->id('to');
        $user = LogIn::read($visit->form)->user($visit->database);
        $item = Items::any($visit->database, $id, 'name, seller');
        ItemRules::checkComment($item, $user, $to);
        $seller = Users::nickname($visit->database, $to);
        return new Page("Rate {$seller}", 'put_comment', [
            'item' => $item,
            'seller' => $seller,
            'token' => $visit->tokenKey->sign($user),
        ]);
    }
}
