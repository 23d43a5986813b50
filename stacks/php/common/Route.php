<?php

declare(strict_types=1);

namespace Common;

use Closure;

/** How a path is to be asked for, and by what it is answered. */
final readonly class Route
{
    /** @param Closure(): Interaction $interaction */
    private function __construct(
        public string $method,
        public Closure $interaction,
    ) {}

    /** @param Closure(): Interaction $interaction */
    public static function get(Closure $interaction): self
    {
        return new self('GET', $interaction);
    }

    /** @param Closure(): Interaction $interaction */
    public static function post(Closure $interaction): self
    {
        return new self('POST', $interaction);
    }
}
