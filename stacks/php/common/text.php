<?php

declare(strict_types=1);

namespace Common;

/**
 * What stands before and after the first separator; where there is none, nothing stands after it.
 *
 * @param non-empty-string $separator
 *
 * @return array{string, string}
 */
function cut(string $text, string $separator): array
{
    $parts = explode($separator, $text, 2);
    return [$parts[0], $parts[1] ?? ''];
}
