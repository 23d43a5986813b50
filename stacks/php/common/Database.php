<?php

declare(strict_types=1);

namespace Common;

use Closure;
use LogicException;
use mysqli;
use mysqli_sql_exception;
use mysqli_stmt;

/**
 * The database, over the one persistent connection of this PHP process.
 *
 * A request takes the connection at its first statement. mysqli then resets it with COM_CHANGE_USER, so that whatever an
 * earlier request may have left - a transaction, a lock, a variable, a prepared statement - is gone. That costs two
 * round trips, because the user is authenticated anew; PDO's persistent connections save one of them and keep all
 * that is left. It is mysqli's default, and what makes persistent connections safe. Statements are prepared
 * by the server each time, since none outlives its request.
 */
final class Database
{
    private const DUPLICATE_KEY = 1062;

    private ?mysqli $connection = null;

    private bool $inTransaction = false;

    /** The only row that a query finds, if there is one. */
    public function row(string $query, int|string|Money ...$values): ?Row
    {
        return $this->rows($query, ...$values)[0] ?? null;
    }

    /** @return list<Row> */
    public function rows(string $query, int|string|Money ...$values): array
    {
        $statement = $this->execute($query, $values);
        $result = $statement->get_result();
        if ($result === false) {
            throw new LogicException('only statements that return rows are queries');
        }
        $rows = [];
        /** @var array<string, float|int|string|null> $columns */
        foreach ($result->fetch_all(MYSQLI_ASSOC) as $columns) {
            $rows[] = new Row($columns);
        }
        $statement->close();
        return $rows;
    }

    /**
     * Inserts a row and returns the id that it was given.
     *
     * @throws DuplicateKey
     */
    public function insert(string $statement, int|string|Money ...$values): int
    {
        try {
            $executed = $this->execute($statement, $values);
        } catch (mysqli_sql_exception $error) {
            throw $error->getCode() === self::DUPLICATE_KEY ? new DuplicateKey(previous: $error) : $error;
        }
        $id = (int) $executed->insert_id;
        $executed->close();
        return $id;
    }

    public function update(string $statement, int|string|Money ...$values): void
    {
        $this->execute($statement, $values)->close();
    }

    /**
     * Does some work entirely or, if it throws, not at all.
     *
     * @template T
     *
     * @param Closure(): T $work
     *
     * @return T
     */
    public function transaction(Closure $work): mixed
    {
        // A fatal error skips every `finally`, and the locks would stay until this process gets its next request.
        register_shutdown_function($this->rollBackIfOpen(...));
        $this->connection()->begin_transaction();
        $this->inTransaction = true;
        try {
            $outcome = $work();
            $this->connection()->commit();
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
            $this->connection()->rollback();
        }
    }

    /** @param array<array-key, int|string|Money> $values */
    private function execute(string $query, array $values): mysqli_stmt
    {
        $statement = $this->connection()->prepare($query);
        if ($statement === false) {
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
            $statement->bind_param($types, ...$bound);
        }
        $statement->execute();
        return $statement;
    }

    private function connection(): mysqli
    {
        return $this->connection ??= self::connect();
    }

    private static function connect(): mysqli
    {
        mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
        $connection = new mysqli();
        // Said while connecting it costs no statement, unlike set_charset().
        $connection->options(MYSQLI_SET_CHARSET_NAME, 'utf8mb4');
        $connection->real_connect(
            'p:' . Environment::get('TIERBENCH_DB_HOST'),
            Environment::get('TIERBENCH_DB_USER'),
            Environment::get('TIERBENCH_DB_PASSWORD'),
            Environment::get('TIERBENCH_DB_NAME'),
            (int) Environment::get('TIERBENCH_DB_PORT'),
        );
        return $connection;
    }
}
