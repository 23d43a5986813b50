<?php

declare(strict_types=1);

namespace Auction;

use Common\Fault;
use Common\Form;

/** Which page of the items found is shown, counted from 0, and how many items a page has. */
final readonly class Paging
{
    private function __construct(
        private int $page,
        public int $size,
    ) {}

    /** @throws Fault */
    public static function read(Form $form): self
    {
        return new self(page: $form->whole('page', 0, 999_999), size: $form->whole('nbOfItems', 1, 100));
    }

    /** How many items stand on the pages before. */
    public function before(): int
    {
        return $this->page * $this->size;
    }

    /** The address of the page before, where there is one; $search is that of the search without its page. */
    public function previous(string $search): ?string
    {
        return $this->page > 0 ? $this->address($search, $this->page - 1) : null;
    }

    /** The address of the next page. Nothing is counted, so the page after a full one may turn out to be empty. */
    public function next(string $search, int $found): ?string
    {
        return $found === $this->size ? $this->address($search, $this->page + 1) : null;
    }

    private function address(string $search, int $page): string
    {
        return "{$search}&page={$page}&nbOfItems={$this->size}";
    }
}
