<?php

declare(strict_types=1);

namespace Common;

/** Where a page leads. */
final readonly class Link
{
    public function __construct(
        public string $href,
        public string $text,
    ) {}
}
