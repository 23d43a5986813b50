<?php

declare(strict_types=1);

namespace Common;

use mysqli;

/** What stores the tables, and with that how some statements become one piece of work that nobody else comes between. */
enum Engine: string
{
    case InnoDB = 'InnoDB';
    case MyISAM = 'MyISAM';

    /** @param non-empty-list<string> $tables all that the work touches */
    public function begin(mysqli $connection, array $tables): void
    {
        match ($this) {
            self::InnoDB => $connection->begin_transaction(),
            self::MyISAM => $connection->query('LOCK TABLES ' . implode(' WRITE, ', $tables) . ' WRITE'),
        };
    }

    public function commit(mysqli $connection): void
    {
        match ($this) {
            self::InnoDB => $connection->commit(),
            self::MyISAM => self::unlock($connection),
        };
    }

    /** MyISAM takes nothing back, so work on it has to make all checks before its first change. */
    public function rollBack(mysqli $connection): void
    {
        match ($this) {
            self::InnoDB => $connection->rollback(),
            self::MyISAM => self::unlock($connection),
        };
    }

    private static function unlock(mysqli $connection): void
    {
        $connection->query('UNLOCK TABLES');
    }
}
