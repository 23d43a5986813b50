<?php

declare(strict_types=1);

namespace Common;

use mysqli;
use mysqli_sql_exception;

/** What stores the tables, and with that how some statements become one piece of work that nobody else comes between. */
enum Engine: string
{
    case InnoDB = 'InnoDB';
    case MyISAM = 'MyISAM';

    /** The server's ER_LOCK_DEADLOCK. */
    private const DEADLOCK = 1213;

    /** How often tables are asked for, in half a minute, before the server's answer is believed. */
    private const ASKED = 30;

    /** The longest pause before they are asked for the second time, in microseconds. It doubles each time ... */
    private const FIRST_PAUSE = 10_000;

    /** ... so often. */
    private const DOUBLED = 8;

    /** @param non-empty-list<string> $tables all that the work touches */
    public function begin(mysqli $connection, array $tables): void
    {
        match ($this) {
            self::InnoDB => $connection->begin_transaction(),
            self::MyISAM => self::lock($connection, 'LOCK TABLES ' . implode(' WRITE, ', $tables) . ' WRITE'),
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

    /**
     * Where dozens wait for tables, the server gives up its search for a circle of them and says that it found one.
     * There is none: it takes all locks of a statement in one order, whoever asks. Nothing is locked or changed by then,
     * so we ask again, as fewer may wait by then. Its search is long, so whoever asks again and again keeps it busy with
     * that alone; hence the ever longer pauses.
     */
    private static function lock(mysqli $connection, string $statement): void
    {
        for ($asked = 1;; $asked++) {
            try {
                $connection->query($statement);
                return;
            } catch (mysqli_sql_exception $refusal) {
                if ($refusal->getCode() !== self::DEADLOCK || $asked === self::ASKED) {
                    throw $refusal;
                }
                usleep(mt_rand(0, self::FIRST_PAUSE << min($asked - 1, self::DOUBLED)));
            }
        }
    }

    private static function unlock(mysqli $connection): void
    {
        $connection->query('UNLOCK TABLES');
    }
}
