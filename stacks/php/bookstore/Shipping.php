<?php

declare(strict_types=1);

namespace Bookstore;

/** How orders are sent. */
enum Shipping: string
{
    case Air = 'AIR';
    case Ups = 'UPS';
    case Fedex = 'FEDEX';
    case Ship = 'SHIP';
    case Courier = 'COURIER';
    case Mail = 'MAIL';

    /** After how many days. */
    public function days(): int
    {
        return match ($this) {
            self::Courier => 0,
            self::Air => 1,
            self::Fedex => 2,
            self::Ups => 3,
            self::Mail => 5,
            self::Ship => 7,
        };
    }

    /** @return list<string> */
    public static function names(): array
    {
        return array_map(static fn(self $way): string => $way->value, self::cases());
    }
}
