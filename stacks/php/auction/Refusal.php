<?php

declare(strict_types=1);

namespace Auction;

use Common\Fault;
use Common\Link;
use Common\Money;

/** Refusals by the auction's rules of business. Each leads the visitor on. */
final class Refusal
{
    public static function nicknameTaken(string $nickname): Fault
    {
        $onward = new Link('/auction/register.html', 'Back to the form');
        return new Fault(409, "The nickname {$nickname} is taken. Please choose another one.", $onward);
    }

    public static function closed(int $item): Fault
    {
        return self::ofBid($item, 'This auction is closed.');
    }

    public static function wrongQuantity(int $item, int $most): Fault
    {
        return self::ofBid($item, "The quantity must be from 1 to {$most}.");
    }

    public static function bidTooLow(int $item, Money $least): Fault
    {
        return self::ofBid($item, "The bid must be at least {$least}.");
    }

    public static function mostBelowBid(int $item): Fault
    {
        return self::ofBid($item, 'The most you would bid must not be less than your bid.');
    }

    private static function ofBid(int $item, string $message): Fault
    {
        return new Fault(409, $message, new Link("/auction/ViewItem?itemId={$item}", 'Back to the item'));
    }
}
