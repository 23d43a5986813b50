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

    /** Reads an amount from a DECIMAL column. Only there may it be negative. */
    public static function fromDecimal(string $decimal): self
    {
        $isNegative = str_starts_with($decimal, '-');
        $amount = self::tryParse($isNegative ? substr($decimal, 1) : $decimal);
        $cents = $amount->cents ?? throw new UnexpectedValueException("{$decimal} is no amount of money");
        return new self($isNegative ? -$cents : $cents);
    }

    /** Of so many whole cents. */
    public static function ofCents(int $cents): self
    {
        return new self($cents);
    }

    public function plus(self $other): self
    {
        return new self($this->cents + $other->cents);
    }

    public function minus(self $other): self
    {
        return new self($this->cents - $other->cents);
    }

    public function times(int $number): self
    {
        return new self($this->cents * $number);
    }

    /** So many of ten thousand parts of an amount that is not negative, rounded half up. */
    public function parts(int $ofTenThousand): self
    {
        return new self(intdiv(($this->cents * $ofTenThousand) + 5_000, 10_000));
    }

    public function isLessThan(self $other): bool
    {
        return $this->cents < $other->cents;
    }

    public function isZero(): bool
    {
        return $this->cents === 0;
    }

    /** This amount, or the other one if it is less. */
    public function atMost(self $other): self
    {
        return $other->isLessThan($this) ? $other : $this;
    }

    /** This amount, or the other one if it is more. */
    public function atLeast(self $other): self
    {
        return $this->isLessThan($other) ? $other : $this;
    }

    public function plusOneCent(): self
    {
        return new self($this->cents + 1);
    }

    public function __toString(): string
    {
        $cents = abs($this->cents);
        return sprintf('%s%d.%02d', $this->cents < 0 ? '-' : '', intdiv($cents, 100), $cents % 100);
    }
}
