<?php

declare(strict_types=1);

namespace Common;

use Closure;
use LogicException;

/** A statement that travels as one text, its values written into it. */
final class TextStatement
{
    /**
     * Numbers are written as they are.
     *
     * @param list<int|string|Money> $values
     * @param Closure(string): string $quote makes a literal of a text
     */
    public static function write(string $statement, array $values, Closure $quote): string
    {
        $literals = array_map(static fn(int|string|Money $value): string => is_string($value)
            ? $quote($value)
            : (string) $value, $values);
        $slots = substr_count($statement, '?');
        if ($slots !== count($literals)) {
            throw new LogicException('a statement needs a value for each question mark');
        }
        return vsprintf(strtr($statement, ['%' => '%%', '?' => '%s']), $literals);
    }
}
