<?php

declare(strict_types=1);

namespace Auction;

use Common\Fault;
use Common\Form;
use Common\Money;

/** What somebody wants to sell: all columns of an item but those that follow from them. */
final readonly class NewItem
{
    /** What the seller pays for each auction. */
    public const FEE = '1.00';

    private function __construct(
        public int $category,
        public string $name,
        public string $description,
        public Money $initialPrice,
        public Money $reservePrice,
        public Money $buyNow,
        public int $quantity,
        public int $days,
    ) {}

    /** @throws Fault */
    public static function read(Form $form): self
    {
        return new self(
            category: $form->id('category'),
            name: $form->text('name', 100),
            description: $form->text('description', 8192),
            initialPrice: $form->money('initialPrice'),
            reservePrice: $form->money('reservePrice'),
            buyNow: $form->money('buyNow'),
            quantity: $form->whole('quantity', 1, 10),
            days: $form->whole('duration', 1, 7),
        );
    }

    /** @throws Fault if a price breaks a rule */
    public function check(): void
    {
        $fault = match (true) {
            $this->initialPrice->isZero() => Refusal::priceTooLow(),
            self::isUnderbid($this->reservePrice, $this->initialPrice) => Refusal::wrongReserve(),
            self::isUnderbid($this->buyNow, $this->initialPrice->atLeast($this->reservePrice))
                => Refusal::wrongBuyNow(),
            default => null,
        };
        if ($fault !== null) {
            throw $fault;
        }
    }

    /** Whether a price that the seller has set (0 is none) is below another one. */
    private static function isUnderbid(Money $price, Money $least): bool
    {
        return !$price->isZero() && $price->isLessThan($least);
    }
}
