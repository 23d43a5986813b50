<?php

declare(strict_types=1);

namespace Quotes;

use SoapFault;

/**
 * What the SOAP extension has made of an element. It converts what has come to the types of the description, but whatever
 * should be there may be missing, or be there twice, and whole numbers may be larger than the description has them.
 */
final readonly class Element
{
    private const LEAST_INT = -2_147_483_648;
    private const LARGEST_INT = 2_147_483_647;

    /** @var array<array-key, mixed> */
    private array $values;

    private function __construct(
        public object $source,
    ) {
        $this->values = get_object_vars($source);
    }

    /** @throws SoapFault */
    public static function of(mixed $element): self
    {
        return is_object($element) ? new self($element) : throw self::refused('an element is missing');
    }

    public static function refused(string $why): SoapFault
    {
        return new SoapFault('Client', $why);
    }

    /** @throws SoapFault */
    public function text(string $name): string
    {
        return self::asText($this->values[$name] ?? null, $name);
    }

    /** @throws SoapFault */
    public function expectInt(string $name): void
    {
        self::asInt($this->values[$name] ?? null, $name);
    }

    /** @throws SoapFault */
    public function expectFloat(string $name): void
    {
        self::asFloat($this->values[$name] ?? null, $name);
    }

    /** @throws SoapFault */
    public function child(string $name): ?self
    {
        return ($this->values[$name] ?? null) === null ? null : self::of($this->values[$name]);
    }

    /**
     * @return list<self>
     *
     * @throws SoapFault
     */
    public function all(string $name): array
    {
        return array_map(self::of(...), self::asList($this->values[$name] ?? []));
    }

    /** @throws SoapFault */
    private static function asText(mixed $value, string $name): string
    {
        return is_string($value) ? $value : throw self::refused("{$name} is no text");
    }

    /** @throws SoapFault */
    private static function asInt(mixed $value, string $name): int
    {
        $fits = is_int($value) && $value >= self::LEAST_INT && $value <= self::LARGEST_INT;
        return $fits ? $value : throw self::refused("{$name} is no int");
    }

    /** @throws SoapFault */
    private static function asFloat(mixed $value, string $name): float
    {
        return is_float($value) && is_finite($value) ? $value : throw self::refused("{$name} is no number");
    }

    /** @return list<mixed> */
    private static function asList(mixed $value): array
    {
        return is_array($value) ? array_values($value) : [];
    }
}
