<?php

declare(strict_types=1);

namespace Bookstore;

use Common\Page;
use Common\Row;
use Common\Visit;

/** A list of books with their authors, and what it says of them. */
final readonly class Listing
{
    /** @param list<Row> $books */
    private function __construct(
        private string $title,
        private string $caption,
        private string $figure,
        private array $books,
    ) {}

    /**
     * A list that says when the books were published.
     *
     * @param list<Row> $books
     */
    public static function published(string $title, string $caption, array $books): self
    {
        return new self($title, $caption, 'Published', $books);
    }

    /**
     * A list that says how many copies were sold.
     *
     * @param list<Row> $books
     */
    public static function sold(string $title, string $caption, array $books): self
    {
        return new self($title, $caption, 'Copies sold', $books);
    }

    /** The list, with the books that are promoted. */
    public function page(Visit $visit, State $state): Page
    {
        return new Page($this->title, 'listing', [
            'state' => $state,
            'title' => $this->title,
            'caption' => $this->caption,
            'figure' => $this->figure,
            'books' => $this->books,
            'promoted' => Books::promoted($visit->database, $state),
        ]);
    }
}
