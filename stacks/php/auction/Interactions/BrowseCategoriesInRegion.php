<?php

declare(strict_types=1);

namespace Auction\Interactions;

use Auction\Listing;
use Common\Interaction;
use Common\Link;
use Common\Page;
use Common\Row;
use Common\Visit;

/** All categories, for the search in one region. */
final readonly class BrowseCategoriesInRegion implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $region = $visit->form->id('region');
        $name = Listing::Regions->name($visit->database, $region);
        $links = array_map(
            static fn(Row $category): Link => new Link(
                "/auction/SearchItemsInRegion?category={$category->int(
                    'id',
                )}&region={$region}&page=0&nbOfItems=20",
                $category->text('name'),
            ),
            Listing::Categories->all($visit->database),
        );
        $title = "Categories in {$name}";
        return new Page($title, 'list', ['title' => $title, 'links' => $links]);
    }
}
