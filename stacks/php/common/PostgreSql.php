<?php

declare(strict_types=1);

namespace Common;

use LogicException;
use PgSql\Connection as Link;
use PgSql\Result;
use RuntimeException;

/**
 * PostgreSQL, through ext/pgsql. When a request ends, PHP rolls back what it has left open; taking the persistent
 * connection sends RESET ALL, which also shows whether it still stands. What that doesn't undo - a prepared statement
 * with a name, a temporary table, a lock of the session - nobody here makes. Values travel apart from the statement,
 * which the server prepares without a name, all in one round trip.
 */
final readonly class PostgreSql implements Connection
{
    private const UNIQUE_VIOLATION = '23505';

    /** The object ids of the types bool, int8, int2 and int4. */
    private const WHOLE_NUMBERS = [16, 20, 21, 23];

    private Link $link;

    public function __construct(
        private Protocol $protocol,
    ) {
        $link = pg_pconnect(self::address());
        if ($link === false) {
            throw new RuntimeException('PostgreSQL takes no connection');
        }
        if (pg_connection_status($link) !== PGSQL_CONNECTION_OK && !pg_connection_reset($link)) {
            throw new RuntimeException('PostgreSQL takes no connection any more: ' . pg_last_error($link));
        }
        $this->link = $link;
    }

    public function execute(string $statement, array $values): array
    {
        $result = $this->send($statement, $values);
        $numbers = self::columns($result, self::WHOLE_NUMBERS);
        $rows = [];
        /** @var array<string, string|null> $columns */
        foreach (pg_fetch_all($result) as $columns) {
            foreach ($numbers as $name) {
                $value = $columns[$name] ?? null;
                // Of a comparison `t` or `f`, which is a number in MariaDB.
                $columns[$name] = $value === null ? null : (int) strtr((string) $value, 'tf', '10');
            }
            $rows[] = new Row($columns);
        }
        return $rows;
    }

    public function insert(string $statement, array $values, string $key = 'id'): int
    {
        $rows = $this->execute("{$statement} RETURNING {$key}", $values);
        return ($rows[0] ?? throw new LogicException('no row was inserted'))->int($key);
    }

    /**
     * NOW() is when the transaction began, which may have waited for others since. It has fractions of a second, which
     * columns would round, half of the time to the next second.
     */
    public function now(): string
    {
        return "DATE_TRUNC('second', STATEMENT_TIMESTAMP())";
    }

    public function begin(array $tables): void
    {
        $this->send('BEGIN', []);
    }

    public function commit(): void
    {
        $this->send('COMMIT', []);
    }

    public function rollBack(): void
    {
        $this->send('ROLLBACK', []);
    }

    /**
     * Sends a statement and waits for its result. Unlike pg_query_params(), this tells by a code why it failed.
     *
     * @param list<int|string|Money> $values
     */
    private function send(string $statement, array $values): Result
    {
        $isSent = match ($this->protocol) {
            Protocol::Prepared => pg_send_query_params(
                $this->link,
                self::number($statement),
                array_map(strval(...), $values),
            ),
            Protocol::Text => pg_send_query(
                $this->link,
                TextStatement::write($statement, $values, $this->escape(...)),
            ),
        };
        $result = $isSent ? pg_get_result($this->link) : false;
        if ($result === false) {
            throw new RuntimeException(pg_last_error($this->link));
        }
        // Only when there is no more does the connection take the next statement.
        pg_get_result($this->link);
        $state = pg_result_error_field($result, PGSQL_DIAG_SQLSTATE);
        if (is_string($state)) {
            $error = new RuntimeException("{$state}: " . (string) pg_result_error($result));
            throw $state === self::UNIQUE_VIOLATION ? new DuplicateKey(previous: $error) : $error;
        }
        return $result;
    }

    /** The statement as PostgreSQL writes it, with `$1`, `$2`, … for the values. */
    private static function number(string $statement): string
    {
        $parts = explode('?', $statement);
        $numbered = array_shift($parts);
        foreach ($parts as $index => $part) {
            $numbered .= '$' . ($index + 1) . $part;
        }
        return $numbered;
    }

    /**
     * The columns of some types, whose values ext/pgsql reads as text like all others.
     *
     * @param list<int> $types
     *
     * @return list<string>
     */
    private static function columns(Result $result, array $types): array
    {
        $columns = pg_num_fields($result) === 0 ? [] : range(0, pg_num_fields($result) - 1);
        $isOfType = static fn(int $column): bool => in_array(
            (int) pg_field_type_oid($result, $column),
            $types,
            strict: true,
        );
        return array_values(array_map(
            static fn(int $column): string => pg_field_name($result, $column),
            array_filter($columns, $isOfType),
        ));
    }

    private function escape(string $value): string
    {
        return "'" . pg_escape_string($this->link, $value) . "'";
    }

    /** Where the database is, in libpq's words. The character set is said while connecting, which costs no statement. */
    private static function address(): string
    {
        $quote = static fn(string $name): string => "'" . addcslashes(Environment::get($name), "'\\") . "'";
        return sprintf(
            'host=%s port=%s dbname=%s user=%s password=%s client_encoding=UTF8',
            $quote('TIERBENCH_DB_HOST'),
            $quote('TIERBENCH_DB_PORT'),
            $quote('TIERBENCH_DB_NAME'),
            $quote('TIERBENCH_DB_USER'),
            $quote('TIERBENCH_DB_PASSWORD'),
        );
    }
}
