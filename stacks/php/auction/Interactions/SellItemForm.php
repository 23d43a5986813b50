<?php

declare(strict_types=1);

namespace Auction\Interactions;

use Auction\Listing;
use Auction\Refusal;
use Common\Interaction;
use Common\Page;
use Common\Visit;

/** The form for what is to be sold. */
final readonly class SellItemForm implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $token = $visit->form->text('token', 100);
        $category = $visit->form->id('category');
        if ($visit->tokenKey->verify($token) === null) {
            throw Refusal::wrongToken();
        }
        $name = Listing::Categories->name($visit->database, $category);
        return new Page("Sell an item in {$name}", 'sell_item_form', [
            'category' => $category,
            'name' => $name,
            'token' => $token,
        ]);
    }
}
