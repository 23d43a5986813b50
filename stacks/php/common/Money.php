<?php

declare(strict_types=1);

namespace Common;

use Stringable;
use UnexpectedValueException;

/** An amount of money, exact: whole cents, as a DECIMAL(…,2) holds it. */
final readonly class Money implements Stringable
{
    private function __construct(
        private int $cents,
    ) {}

    /** Reads `12`, `12.5` and `12.50`; null if it is anything else or more than ten digits before the full stop. */
    public static function tryParse(string $text): ?self
    {
        if (preg_match('/\A[0-9]{1,10}(?:\.[0-9]{1,2})?\z/', $text) !== 1) {
            return null;
        }
        [$whole, $cents] = cut($text, '.');
        return new self(((int) $whole * 100) + (int) str_pad($cents, 2, '0'));
    }

    /** Reads an amount from a DECIMAL column, none of which is ever negative. */
    public static function fromDecimal(string $decimal): self
    {
        return (
            self::tryParse($decimal) ?? throw new UnexpectedValueException("{$decimal} is no amount of money")
        );
    }

    public function isLessThan(self $other): bool
    {
        return $this->cents < $other->cents;
    }

    public function plusOneCent(): self
    {
        return new self($this->cents + 1);
    }

    public function __toString(): string
    {
        return sprintf('%d.%02d', intdiv($this->cents, 100), $this->cents % 100);
    }
}
