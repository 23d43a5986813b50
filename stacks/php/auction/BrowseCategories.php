<?php

declare(strict_types=1);

namespace Auction;

use Common\Interaction;
use Common\Page;
use Common\Visit;

/** All categories. */
final readonly class BrowseCategories implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $categories = $visit->database->rows('SELECT id, name FROM categories ORDER BY id');
        return new Page('Categories', 'browse_categories', ['categories' => $categories]);
    }
}
