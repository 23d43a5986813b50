<?php

declare(strict_types=1);

namespace Auction\Interactions;

use Auction\Items;
use Auction\Users;
use Common\Interaction;
use Common\Page;
use Common\Visit;

/** An item, open, closed or old. */
final readonly class ViewItem implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $item = Items::any($visit->database, $visit->form->id('itemId'));
        $seller = Users::nickname($visit->database, $item->seller());
        return new Page($item->name(), 'view_item', ['item' => $item, 'seller' => $seller]);
    }
}
