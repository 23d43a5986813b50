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

/** A page of the open items of a category whose sellers live in a region, those that end first on top. */
final readonly class SearchItemsInRegion implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $category = $visit->form->id('category');
        $region = $visit->form->id('region');
        $paging = Paging::read($visit->form);
        $categoryName = Listing::Categories->name($visit->database, $category);
        $regionName = Listing::Regions->name($visit->database, $region);
        $items = $visit->database->rows(
            'SELECT i.id, i.name, i.initial_price, i.max_bid, i.nb_of_bids, i.buy_now, i.end_date
                FROM items i JOIN users u ON u.id = i.seller
                WHERE i.category = ? AND u.region = ? AND i.end_date >= NOW() ORDER BY i.end_date, i.id LIMIT ? OFFSET ?',
            $category,
            $region,
            $paging->size,
            $paging->before(),
        );
        $title = "{$categoryName} in {$regionName}";
        $search = "/auction/SearchItemsInRegion?category={$category}&region={$region}";
        return new Page($title, 'search', [
            'title' => $title,
            'items' => array_map(Item::of(...), $items),
            'previous' => $paging->previous($search),
            'next' => $paging->next($search, count($items)),
            'up' => new Link(
                "/auction/BrowseCategoriesInRegion?region={$region}",
                "All categories in {$regionName}",
            ),
        ]);
    }
}
