<?php

declare(strict_types=1);

namespace Common;

use Closure;
use LogicException;
use mysqli;
use mysqli_sql_exception;

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

    private readonly Engine $engine;

    private readonly Protocol $protocol;

    private ?mysqli $connection = null;

    private bool $inTransaction = false;

    public function __construct()
    {
        $this->engine = Engine::from(Environment::get('TIERBENCH_DB_ENGINE'));
        $this->protocol = Protocol::from(Environment::tryGet('TIERBENCH_FACTOR_PROTOCOL') ?? 'prepared');
    }

    /** The only row that a query finds, if there is one. */
    public function row(string $query, int|string|Money ...$values): ?Row
    {
        return $this->rows($query, ...$values)[0] ?? null;
    }

    /** @return list<Row> */
    public function rows(string $query, int|string|Money ...$values): array
    {
        $result = $this->protocol->execute($this->connection(), $query, array_values($values));
        if ($result === false) {
            throw new LogicException('only statements that return rows are queries');
        }
        $rows = [];
        /** @var array<string, float|int|string|null> $columns */
        foreach ($result->fetch_all(MYSQLI_ASSOC) as $columns) {
            $rows[] = new Row($columns);
        }
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
            $this->update($statement, ...$values);
        } catch (mysqli_sql_exception $error) {
            throw $error->getCode() === self::DUPLICATE_KEY ? new DuplicateKey(previous: $error) : $error;
        }
        return (int) $this->connection()->insert_id;
    }

    public function update(string $statement, int|string|Money ...$values): void
    {
        $this->protocol->execute($this->connection(), $statement, array_values($values));
    }

    /**
     * Does some work entirely or, if it throws, not at all, and lets nobody else come between. On MyISAM, which takes
     * nothing back, that holds for work that makes all its checks before its first change.
     *
     * No two of our transactions can wait for each other, so none is ever tried again: before its last statement, each
     * holds at most one row that others may want, an item, and waits for nobody else while it does; only as its last
     * statement may it wait for a user's row, and whoever holds that is about to commit. Rows that it has inserted
     * itself are unknown to others. On MyISAM, all locks are taken at once.
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
            $this->engine->begin($connection, $tables);
            $outcome = $work();
            $this->engine->commit($connection);
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
            $this->engine->rollBack($this->connection());
        }
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
        // Whole numbers are read as such, not only from prepared statements.
        $connection->options(MYSQLI_OPT_INT_AND_FLOAT_NATIVE, 1);
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
