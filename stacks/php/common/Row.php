<?php

declare(strict_types=1);

namespace Common;

use UnexpectedValueException;

/** A row that a statement has read, with typed columns. To ask for what was not read is an error. */
final readonly class Row
{
    /** @param array<string, int|float|string|null> $columns */
    public function __construct(
        private array $columns,
    ) {}

    public function int(string $column): int
    {
        $value = $this->columns[$column] ?? null;
        return is_int($value) ? $value : throw $this->unexpected($column, 'whole number');
    }

    public function text(string $column): string
    {
        $value = $this->columns[$column] ?? null;
        return is_string($value) ? $value : throw $this->unexpected($column, 'text');
    }

    public function money(string $column): Money
    {
        return Money::fromDecimal($this->text($column));
    }

    public function isNull(string $column): bool
    {
        return array_key_exists($column, $this->columns) && ($this->columns[$column] ?? null) === null;
    }

    private function unexpected(string $column, string $wanted): UnexpectedValueException
    {
        return new UnexpectedValueException("the column {$column} was not read as a {$wanted}");
    }
}
