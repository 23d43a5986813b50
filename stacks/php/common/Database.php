<?php

declare(strict_types=1);

namespace Common;

use Closure;
use RuntimeException;

/** The database. A request takes the connection of its PHP process at its first statement. */
final class Database
{
    private ?Connection $connection = null;

    private bool $inTransaction = false;

    /** The only row that a query finds, if there is one. */
    public function row(string $query, int|string|Money ...$values): ?Row
    {
        return $this->rows($query, ...$values)[0] ?? null;
    }

    /** @return list<Row> */
    public function rows(string $query, int|string|Money ...$values): array
    {
        return $this->connection()->execute($query, array_values($values));
    }

    /**
     * Inserts a row and returns the id that it was given.
     *
     * @throws DuplicateKey
     */
    public function insert(string $statement, int|string|Money ...$values): int
    {
        return $this->connection()->insert($statement, array_values($values));
    }

    /**
     * The same, into a table whose ids are in this column.
     *
     * @throws DuplicateKey
     */
    public function insertKeyed(string $key, string $statement, int|string|Money ...$values): int
    {
        return $this->connection()->insert($statement, array_values($values), $key);
    }

    public function update(string $statement, int|string|Money ...$values): void
    {
        $this->connection()->execute($statement, array_values($values));
    }

    /**
     * What stands in a statement for the second in which it began. Nearly the same is NOW() where nothing is stored.
     */
    public function now(): string
    {
        return $this->connection()->now();
    }

    /**
     * Does some work entirely or, if it throws, not at all, and lets nobody else come between. On MyISAM, which takes
     * nothing back, that holds for work that makes all its checks before its first change.
     *
     * No two of our transactions can wait for each other, so none is ever tried again: whoever holds a row that others may
     * want waits only for rows that come later in an order that all keep. In the auction that is an item and then a user,
     * in the bookstore a cart and then items by their ids. Rows that a transaction has inserted itself are unknown to
     * others. On MyISAM, all locks are taken at once ({@see Engine::lock} asks for them again).
     *
     * @template T
     *
     * @param non-empty-list<string> $tables all that the work touches
     * @param Closure(): T $work
     *
     * @return T
     */
    public function transaction(array $tables, Closure $work): mixed
    {
        $connection = $this->connection();
        // A fatal error skips every `finally`, and the locks would stay until this process gets its next request.
        register_shutdown_function($this->rollBackIfOpen(...));
        $this->inTransaction = true;
        try {
            $connection->begin($tables);
            $outcome = $work();
            $connection->commit();
            $this->inTransaction = false;
            return $outcome;
        } finally {
            $this->rollBackIfOpen();
        }
    }

    private function rollBackIfOpen(): void
    {
        if ($this->inTransaction) {
            $this->inTransaction = false;
            $this->connection()->rollBack();
        }
    }

    private function connection(): Connection
    {
        return $this->connection ??= self::connect();
    }

    private static function connect(): Connection
    {
        $protocol = Protocol::from(Environment::tryGet('TIERBENCH_FACTOR_PROTOCOL') ?? 'prepared');
        return match ($service = Environment::get('TIERBENCH_DB_SERVICE')) {
            'mariadb' => new MariaDb($protocol),
            'postgresql' => new PostgreSql($protocol),
            default => throw new RuntimeException("nobody here can talk to {$service}"),
        };
    }
}
