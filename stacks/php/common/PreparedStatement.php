<?php

declare(strict_types=1);

namespace Common;

use LogicException;
use mysqli;
use mysqli_result;

/** A statement that the server prepares, and whose values it gets apart from its text. */
final class PreparedStatement
{
    /** @param list<int|string|Money> $values */
    public static function execute(mysqli $connection, string $statement, array $values): mysqli_result|false
    {
        $prepared = $connection->prepare($statement);
        if ($prepared === false) {
            throw new LogicException('mysqli reports errors as exceptions');
        }
        if ($values !== []) {
            $types = '';
            $bound = [];
            foreach ($values as $value) {
                $types .= is_int($value) ? 'i' : 's';
                $bound[] = is_int($value) ? $value : (string) $value;
            }
            // @mago-expect analysis:mixed-assignment - bind_param takes references, though it changes nothing.
            $prepared->bind_param($types, ...$bound);
        }
        $prepared->execute();
        $rows = $prepared->get_result();
        $prepared->close();
        return $rows;
    }
}
