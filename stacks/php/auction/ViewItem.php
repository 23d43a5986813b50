<?php

declare(strict_types=1);

namespace Auction;

use Common\Fault;
use Common\Interaction;
use Common\Page;
use Common\Visit;

/** An item, open or closed. */
final readonly class ViewItem implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $id = $visit->form->id('itemId');
        $row = $visit->database->row('SELECT name, description, initial_price, quantity, nb_of_bids, max_bid, start_date, end_date, seller, category,
                end_date >= NOW() AS open FROM items WHERE id = ?', $id);
        $item = new Item($id, $row ?? throw Fault::unknown('item', $id));
        return new Page($item->name(), 'view_item', [
            'item' => $item,
            'seller' => Seller::nickname($visit->database, $item),
        ]);
    }
}
