<?php

declare(strict_types=1);

namespace Auction\Interactions;

use Auction\Listing;
use Common\Interaction;
use Common\Link;
use Common\Page;
use Common\Row;
use Common\Visit;

/** All categories. */
final readonly class BrowseCategories implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $links = array_map(
            static fn(Row $category): Link => new Link(
                "/auction/SearchItemsInCategory?category={$category->int('id')}&page=0&nbOfItems=20",
                $category->text('name'),
            ),
            Listing::Categories->all($visit->database),
        );
        return new Page('Categories', 'list', ['title' => 'Categories', 'links' => $links]);
    }
}
