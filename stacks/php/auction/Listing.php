<?php

declare(strict_types=1);

namespace Auction;

use Common\Database;
use Common\Fault;
use Common\Row;

/** The two lists of names by which one looks for items. */
enum Listing: string
{
    case Categories = 'categories';
    case Regions = 'regions';

    /** @return list<Row> */
    public function all(Database $database): array
    {
        return $database->rows("SELECT id, name FROM {$this->value} ORDER BY id");
    }

    /** @throws Fault if there is none with this id */
    public function name(Database $database, int $id): string
    {
        return $this->tryName($database, $id) ?? throw Fault::unknown($this->one(), $id);
    }

    public function tryName(Database $database, int $id): ?string
    {
        return $database->row("SELECT name FROM {$this->value} WHERE id = ?", $id)?->text('name');
    }

    private function one(): string
    {
        return match ($this) {
            self::Categories => 'category',
            self::Regions => 'region',
        };
    }
}
