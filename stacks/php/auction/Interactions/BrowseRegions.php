<?php

declare(strict_types=1);

namespace Auction\Interactions;

use Auction\Listing;
use Common\Interaction;
use Common\Link;
use Common\Page;
use Common\Row;
use Common\Visit;

/** All regions. */
final readonly class BrowseRegions implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $links = array_map(
            static fn(Row $region): Link => new Link(
                "/auction/BrowseCategoriesInRegion?region={$region->int('id')}",
                $region->text('name'),
            ),
            Listing::Regions->all($visit->database),
        );
        return new Page('Regions', 'list', ['title' => 'Regions', 'links' => $links]);
    }
}
