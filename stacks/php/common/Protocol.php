<?php

declare(strict_types=1);

namespace Common;

use mysqli;
use mysqli_result;

/** How statements travel to the database. Rows come back the same whatever is chosen. */
enum Protocol: string
{
    case Prepared = 'prepared';
    case Text = 'text';

    /**
     * Sends a statement in which each `?` stands for one of the values, in their order.
     *
     * @param list<int|string|Money> $values
     *
     * @return mysqli_result|false the rows; false for a statement that has none
     */
    public function execute(mysqli $connection, string $statement, array $values): mysqli_result|false
    {
        return match ($this) {
            self::Prepared => PreparedStatement::execute($connection, $statement, $values),
            self::Text => TextStatement::execute($connection, $statement, $values),
        };
    }
}
