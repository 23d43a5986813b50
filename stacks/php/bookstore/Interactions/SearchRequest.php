<?php

declare(strict_types=1);

namespace Bookstore\Interactions;

use Bookstore\Books;
use Bookstore\Given;
use Common\Interaction;
use Common\Page;
use Common\Visit;

/** The forms to look for books by their authors, titles and subjects. */
final readonly class SearchRequest implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $state = Given::read($visit->form)->open($visit->tokenKey);
        $promoted = Books::promoted($visit->database, $state);
        return new Page('Search', 'search_request', ['state' => $state, 'promoted' => $promoted]);
    }
}
