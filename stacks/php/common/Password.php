<?php

declare(strict_types=1);

namespace Common;

use SensitiveParameter;

/** How passwords are stored: SHA-256 of `nickname:password`, in hexadecimal. */
final class Password
{
    public static function hash(string $nickname, #[SensitiveParameter] string $password): string
    {
        return hash('sha256', "{$nickname}:{$password}");
    }
}
