<?php

declare(strict_types=1);

namespace Bookstore;

use Common\TokenKey;

/**
 * What a visitor has going on, as all pages carry it on in their links and hidden fields: the customer who is greeted, which
 * gives no rights, and the cart, whose number travels sealed.
 */
final readonly class State
{
    public const CUSTOMER = 'C_ID';

    public const CART = 'SHOPPING_ID';

    public function __construct(
        public ?int $customer = null,
        public ?int $cart = null,
        public ?string $sealed = null,
    ) {}

    /** Of somebody with this cart. */
    public static function with(?int $customer, int $cart, TokenKey $key): self
    {
        return new self($customer, $cart, $key->seal(self::CART, $cart));
    }

    /** The same visitor, greeted as this customer. */
    public function greeting(int $customer): self
    {
        return new self($customer, $this->cart, $this->sealed);
    }

    /** @return array<string, int|string> the hidden fields that carry it on */
    public function fields(): array
    {
        return array_filter(
            [self::CUSTOMER => $this->customer, self::CART => $this->sealed],
            static fn(int|string|null $value): bool => $value !== null,
        );
    }

    /** The end of a link that has other parameters. */
    public function more(): string
    {
        $fields = $this->fields();
        return $fields === [] ? '' : '&' . http_build_query($fields);
    }

    /** The end of a link that has none. */
    public function query(): string
    {
        $fields = $this->fields();
        return $fields === [] ? '' : '?' . http_build_query($fields);
    }

    /** The number that chooses what is promoted. */
    public function number(): int
    {
        return ($this->customer ?? 0) + ($this->cart ?? 0);
    }
}
