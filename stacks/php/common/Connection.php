<?php

declare(strict_types=1);

namespace Common;

/**
 * The persistent connection of this PHP process to a database of one kind. Whoever takes it finds no transaction, lock
 * or setting that an earlier request may have left, and a new connection where the database was restarted meanwhile.
 * In statements, each `?` stands for one of the values, in their order.
 */
interface Connection
{
    /**
     * @param list<int|string|Money> $values
     *
     * @return list<Row> the rows that the statement finds; none if it is no query
     */
    public function execute(string $statement, array $values): array;

    /**
     * Inserts a row into a table and returns the id that it was given, in its column `$key`.
     *
     * @param list<int|string|Money> $values
     *
     * @throws DuplicateKey
     */
    public function insert(string $statement, array $values, string $key = 'id'): int;

    /** What stands in a statement for the second in which it began, within a transaction, too. */
    public function now(): string;

    /** @param non-empty-list<string> $tables all that the work touches */
    public function begin(array $tables): void;

    public function commit(): void;

    public function rollBack(): void;
}
