<?php

declare(strict_types=1);

namespace Auction\Interactions;

use Auction\Item;
use Auction\Listing;
use Auction\Paging;
use Common\Interaction;
use Common\Link;
use Common\Page;
use Common\Visit;

/** A page of the open items of a category, those that end first on top. */
final readonly class SearchItemsInCategory implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $category = $visit->form->id('category');
        $paging = Paging::read($visit->form);
        $name = Listing::Categories->name($visit->database, $category);
        $items = $visit->database->rows(
            'SELECT id, name, initial_price, max_bid, nb_of_bids, buy_now, end_date FROM items
                WHERE category = ? AND end_date >= NOW() ORDER BY end_date, id LIMIT ? OFFSET ?',
            $category,
            $paging->size,
            $paging->before(),
        );
        $search = "/auction/SearchItemsInCategory?category={$category}";
        return new Page($name, 'search', [
            'title' => $name,
            'items' => array_map(Item::of(...), $items),
            'previous' => $paging->previous($search),
            'next' => $paging->next($search, count($items)),
            'up' => new Link('/auction/BrowseCategories', 'All categories'),
        ]);
    }
}
