<?php

declare(strict_types=1);

namespace Common;

/** What an interaction shows: a template of its application, and the values that it names. */
final readonly class Page
{
    /** @param array<string, mixed> $values */
    public function __construct(
        public string $title,
        public string $template,
        public array $values,
    ) {}
}
