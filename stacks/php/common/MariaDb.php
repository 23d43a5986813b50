<?php

declare(strict_types=1);

namespace Common;

use mysqli;
use mysqli_result;
use mysqli_sql_exception;

/**
 * MariaDB, through mysqli. Taking the persistent connection resets it with COM_CHANGE_USER, so that whatever an earlier
 * request may have left - a transaction, a lock, a variable, a prepared statement - is gone. That costs two round
 * trips, because the user is authenticated anew; PDO's persistent connections save one of them and keep all that is
 * left. It is mysqli's default, and what makes persistent connections safe. Statements are prepared by the server each
 * time, since none outlives its request.
 */
final readonly class MariaDb implements Connection
{
    private const CHARACTER_SET = 'utf8mb4';

    private const DUPLICATE_KEY = 1062;

    private mysqli $link;

    private Engine $engine;

    public function __construct(
        private Protocol $protocol,
    ) {
        $this->engine = Engine::from(Environment::get('TIERBENCH_DB_ENGINE'));
        mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
        $this->link = new mysqli();
        // Said while connecting it costs no statement, unlike set_charset().
        $this->link->options(MYSQLI_SET_CHARSET_NAME, self::CHARACTER_SET);
        $this->link->real_connect(
            'p:' . Environment::get('TIERBENCH_DB_HOST'),
            Environment::get('TIERBENCH_DB_USER'),
            Environment::get('TIERBENCH_DB_PASSWORD'),
            Environment::get('TIERBENCH_DB_NAME'),
            (int) Environment::get('TIERBENCH_DB_PORT'),
        );
        // Where the database has restarted, mysqli connects anew and forgets the options from before.
        if ($this->link->character_set_name() !== self::CHARACTER_SET) {
            $this->link->set_charset(self::CHARACTER_SET);
        }
        // Whole numbers are read as such, not only from prepared statements.
        $this->link->options(MYSQLI_OPT_INT_AND_FLOAT_NATIVE, 1);
    }

    public function execute(string $statement, array $values): array
    {
        $result = match ($this->protocol) {
            Protocol::Prepared => PreparedStatement::execute($this->link, $statement, $values),
            Protocol::Text => $this->link->query(TextStatement::write(
                $statement,
                $values,
                $this->escape(...),
            )),
        };
        if (!$result instanceof mysqli_result) {
            return [];
        }
        $rows = [];
        /** @var array<string, float|int|string|null> $columns */
        foreach ($result->fetch_all(MYSQLI_ASSOC) as $columns) {
            $rows[] = new Row($columns);
        }
        return $rows;
    }

    public function insert(string $statement, array $values, string $key = 'id'): int
    {
        try {
            $this->execute($statement, $values);
        } catch (mysqli_sql_exception $error) {
            throw $error->getCode() === self::DUPLICATE_KEY ? new DuplicateKey(previous: $error) : $error;
        }
        return (int) $this->link->insert_id;
    }

    public function now(): string
    {
        return 'NOW()';
    }

    public function begin(array $tables): void
    {
        $this->engine->begin($this->link, $tables);
    }

    public function commit(): void
    {
        $this->engine->commit($this->link);
    }

    public function rollBack(): void
    {
        $this->engine->rollBack($this->link);
    }

    /** The connection knows its character set, and with that how to escape a text. */
    private function escape(string $value): string
    {
        return "'" . $this->link->real_escape_string($value) . "'";
    }
}
