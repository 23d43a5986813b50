<?php

declare(strict_types=1);

namespace Bookstore;

use Common\Fault;
use Common\Form;

/** A credit card, as a customer has typed it. */
final readonly class Card
{
    public const TYPES = ['VISA', 'MASTERCARD', 'DISCOVER', 'AMEX', 'DINERS'];

    private function __construct(
        public string $type,
        public string $number,
        public string $name,
        /** A month, as `2030-12`. */
        public string $expiry,
    ) {}

    /** @throws Fault */
    public static function read(Form $form): self
    {
        return new self(
            type: $form->choice('CC_TYPE', ...self::TYPES),
            number: $form->matching('CC_NUMBER', '/\A[0-9]{13,16}\z/'),
            name: $form->text('CC_NAME', 30),
            expiry: $form->matching('CC_EXPIRY', '/\A20[0-9]{2}-(?:0[1-9]|1[0-2])\z/'),
        );
    }

    /** The number as it is kept: all but its last four digits are stars. */
    public function masked(): string
    {
        return str_repeat('*', strlen($this->number) - 4) . substr($this->number, -4);
    }
}
