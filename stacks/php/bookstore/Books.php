<?php

declare(strict_types=1);

namespace Bookstore;

use Common\Database;
use Common\Fault;
use Common\Row;
use RuntimeException;

/** The books: how others are found that go with one, or that are promoted. */
final class Books
{
    private const RELATED = ['i_related1', 'i_related2', 'i_related3', 'i_related4', 'i_related5'];

    /**
     * Some columns of a book with its author.
     *
     * @throws Fault if there is no such book
     */
    public static function withAuthor(Database $database, int $id, string $columns): Row
    {
        $row = $database->row("SELECT {$columns} FROM item JOIN author ON a_id = i_a_id WHERE i_id = ?", $id);
        return $row ?? throw Fault::unknown('book', $id);
    }

    /**
     * Some columns of the books that go with one, whose columns for them were read.
     *
     * @return list<Row>
     */
    public static function related(
        Database $database,
        Row $book,
        string $columns = 'i_id, i_title, i_thumbnail',
    ): array {
        return $database->rows(
            "SELECT {$columns} FROM item WHERE i_id IN (?, ?, ?, ?, ?) ORDER BY i_id",
            ...self::relatedIds($book),
        );
    }

    /** @return list<int> */
    public static function relatedIds(Row $book): array
    {
        return array_map($book->int(...), self::RELATED);
    }

    /**
     * The books that are shown to a visitor: those that go with one that customer and cart choose.
     *
     * @return list<Row>
     */
    public static function promoted(Database $database, State $state, ?int $items = null): array
    {
        $chosen = self::scattered($state->number(), $items ?? self::count($database));
        $columns = implode(', ', self::RELATED);
        $book = $database->row("SELECT {$columns} FROM item WHERE i_id = ?", $chosen);
        return self::related($database, $book ?? throw new RuntimeException("there is no book {$chosen}"));
    }

    /** How many books there are: they have all numbers from 1. */
    public static function count(Database $database): int
    {
        return $database->row('SELECT MAX(i_id) AS items FROM item')?->int('items') ?? 0;
    }

    /** The book that a number chooses, as if by chance. */
    public static function scattered(int $number, int $items): int
    {
        return (($number * 48_271) % $items) + 1;
    }
}
