<?php

declare(strict_types=1);

namespace Bookstore;

/** Which cart it was in the end. */
final readonly class ChangedCart
{
    public function __construct(
        public int $id,
        public bool $isNew,
        /** Whether there was nothing in it, so that a book was put there. */
        public bool $wasEmpty,
    ) {}
}
