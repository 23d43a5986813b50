<?php

declare(strict_types=1);

namespace Bookstore;

use Common\Fault;
use Common\Form;
use Common\TokenKey;

/** What a request says of what its visitor has going on. */
final readonly class Given
{
    private const LONGEST_CART = 80;

    private function __construct(
        private ?int $customer,
        private ?string $cart,
    ) {}

    /** @throws Fault */
    public static function read(Form $form): self
    {
        return new self(
            customer: $form->isAbsent(State::CUSTOMER) ? null : $form->id(State::CUSTOMER),
            cart: $form->isAbsent(State::CART) ? null : self::sealedCart($form),
        );
    }

    /**
     * The number of a cart as it travels.
     *
     * @throws Fault
     */
    public static function sealedCart(Form $form): string
    {
        return $form->text(State::CART, self::LONGEST_CART);
    }

    /**
     * The number of a cart that travelled so.
     *
     * @throws Fault if it is none that the site has given out
     */
    public static function openCart(string $sealed, TokenKey $key): int
    {
        return $key->open(State::CART, $sealed) ?? throw Refusal::wrongCart();
    }

    public function hasCart(): bool
    {
        return $this->cart !== null;
    }

    /** @throws Fault */
    public function open(TokenKey $key): State
    {
        $cart = $this->cart === null ? null : self::openCart($this->cart, $key);
        return new State($this->customer, $cart, $this->cart);
    }
}
