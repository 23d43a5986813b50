<?php

declare(strict_types=1);

namespace Common;

use LogicException;
use mysqli;
use mysqli_result;

/** A statement that travels as one text, its values written into it. */
final class TextStatement
{
    /** @param list<int|string|Money> $values */
    public static function execute(mysqli $connection, string $statement, array $values): mysqli_result|false
    {
        $rows = $connection->query(self::write($connection, $statement, $values));
        return $rows instanceof mysqli_result ? $rows : false;
    }

    /** @param list<int|string|Money> $values */
    private static function write(mysqli $connection, string $statement, array $values): string
    {
        $literals = array_map(static fn(int|string|Money $value): string => self::literal(
            $connection,
            $value,
        ), $values);
        $slots = substr_count($statement, '?');
        if ($slots !== count($literals)) {
            throw new LogicException('a statement needs a value for each question mark');
        }
        return vsprintf(strtr($statement, ['%' => '%%', '?' => '%s']), $literals);
    }

    /** Numbers as they are; the connection knows its character set, and with that how to escape a text. */
    private static function literal(mysqli $connection, int|string|Money $value): string
    {
        return is_string($value) ? "'" . $connection->real_escape_string($value) . "'" : (string) $value;
    }
}
