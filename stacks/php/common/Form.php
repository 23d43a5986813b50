<?php

declare(strict_types=1);

namespace Common;

/** The parameters of a request, as PHP reads them. */
final readonly class Form
{
    private const LARGEST_ID = 999_999_999;

    /** @param array<array-key, mixed> $values a text for each parameter, or an array for names that end in brackets */
    public function __construct(
        private array $values,
    ) {}

    /** Whether a parameter is missing or empty. */
    public function isAbsent(string $name): bool
    {
        return ($this->values[$name] ?? '') === '';
    }

    /**
     * A text of 1 to $most code points, taken as it is.
     *
     * @throws Fault
     */
    public function text(string $name, int $most): string
    {
        return $this->matching($name, "/\\A[^\\0]{1,{$most}}\\z/u");
    }

    /** @throws Fault */
    public function nickname(string $name, int $most): string
    {
        return $this->matching($name, "/\\A[A-Za-z0-9_.-]{1,{$most}}\\z/");
    }

    /** @throws Fault */
    public function email(string $name, int $most): string
    {
        $address = $this->text($name, $most);
        return str_contains($address, '@') ? $address : throw Fault::parameter($name);
    }

    /**
     * One of a few texts.
     *
     * @throws Fault
     */
    public function choice(string $name, string ...$texts): string
    {
        $value = $this->one($name);
        return in_array($value, $texts, true) ? $value : throw Fault::parameter($name);
    }

    /**
     * A whole number within a range, of at most nine digits.
     *
     * @throws Fault
     */
    public function whole(string $name, int $least, int $most): int
    {
        $number = (int) $this->matching($name, '/\A(?:0|[1-9][0-9]{0,8})\z/');
        return $number >= $least && $number <= $most ? $number : throw Fault::parameter($name);
    }

    /** @throws Fault */
    public function id(string $name): int
    {
        return $this->whole($name, 1, self::LARGEST_ID);
    }

    /** @throws Fault */
    public function money(string $name): Money
    {
        return Money::tryParse($this->one($name)) ?? throw Fault::parameter($name);
    }

    /**
     * A text of a form of its own.
     *
     * @param non-empty-string $pattern
     *
     * @throws Fault
     */
    public function matching(string $name, string $pattern): string
    {
        $value = $this->one($name);
        return preg_match($pattern, $value) === 1 ? $value : throw Fault::parameter($name);
    }

    /** @throws Fault */
    private function one(string $name): string
    {
        return is_string($this->values[$name] ?? null) ? $this->values[$name] : throw Fault::parameter($name);
    }
}
