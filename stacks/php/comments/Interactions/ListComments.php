<?php

declare(strict_types=1);

namespace Comments\Interactions;

use Common\Interaction;
use Common\Page;
use Common\Visit;

/** All comments. */
final readonly class ListComments implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $comments = $visit->database->rows('SELECT * FROM comments ORDER BY id');
        return new Page('Comments', 'list_comments', ['comments' => $comments]);
    }
}
