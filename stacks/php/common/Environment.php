<?php

declare(strict_types=1);

namespace Common;

use RuntimeException;

/** What the one who runs this stack has set in the environment of its processes. */
final class Environment
{
    public static function get(string $name): string
    {
        return self::tryGet($name) ?? throw new RuntimeException("the environment has no {$name}");
    }

    public static function tryGet(string $name): ?string
    {
        $value = getenv($name);
        return is_string($value) ? $value : null;
    }
}
