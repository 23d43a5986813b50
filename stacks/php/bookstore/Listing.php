<?php

declare(strict_types=1);

namespace Bookstore;

use Common\Page;
use Common\Row;
use Common\Visit;

/** A list of books with their authors, with those that are promoted. */
final class Listing
{
    /**
     * @param list<Row> $books
     * @param string $figure what the last column is about
     */
    public static function page(
        Visit $visit,
        State $state,
        string $title,
        string $caption,
        string $figure,
        array $books,
    ): Page {
        return new Page($title, 'listing', [
            'state' => $state,
            'title' => $title,
            'caption' => $caption,
            'figure' => $figure,
            'books' => $books,
            'promoted' => Books::promoted($visit->database, $state),
        ]);
    }
}
