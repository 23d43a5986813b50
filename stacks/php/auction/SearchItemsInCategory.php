<?php

declare(strict_types=1);

namespace Auction;

use Common\Fault;
use Common\Interaction;
use Common\Page;
use Common\Row;
use Common\Visit;

/** A page of the open items of a category, those that end first on top. */
final readonly class SearchItemsInCategory implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $category = $visit->form->id('category');
        $page = $visit->form->whole('page', 0, 999_999);
        $size = $visit->form->whole('nbOfItems', 1, 100);
        $found = $visit->database->row('SELECT name FROM categories WHERE id = ?', $category);
        $name = $found?->text('name') ?? throw Fault::unknown('category', $category);
        $items = $visit->database->rows(
            'SELECT id, name, initial_price, max_bid, nb_of_bids, end_date FROM items
                WHERE category = ? AND end_date >= NOW() ORDER BY end_date, id LIMIT ?, ?',
            $category,
            $page * $size,
            $size,
        );
        return new Page($name, 'search_items_in_category', [
            'name' => $name,
            'items' => array_map(static fn(Row $row): Item => new Item($row->int('id'), $row), $items),
            'previous' => $page > 0 ? self::address($category, $page - 1, $size) : null,
            // Nothing is counted, so the page after a full one may turn out to be empty.
            'next' => count($items) === $size ? self::address($category, $page + 1, $size) : null,
        ]);
    }

    private static function address(int $category, int $page, int $size): string
    {
        return "/auction/SearchItemsInCategory?category={$category}&page={$page}&nbOfItems={$size}";
    }
}
