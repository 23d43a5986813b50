<?php

declare(strict_types=1);

namespace Auction\Interactions;

use Auction\Listing;
use Auction\LogIn;
use Common\Interaction;
use Common\Page;
use Common\Visit;

/** Logs a seller in and asks for the category. */
final readonly class SelectCategoryToSellItem implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $user = LogIn::read($visit->form)->user($visit->database);
        return new Page('Choose a category', 'select_category_to_sell_item', [
            'categories' => Listing::Categories->all($visit->database),
            'token' => $visit->tokenKey->sign($user),
        ]);
    }
}
