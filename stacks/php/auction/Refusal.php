<?php

declare(strict_types=1);

namespace Auction;

use Common\Fault;
use Common\Link;
use Common\Money;

/** Refusals of users who aren't known, and by the auction's rules of business. Each leads the visitor on. */
final class Refusal
{
    public static function wrongLogIn(): Fault
    {
        return self::ofUser('The nickname or the password is wrong.');
    }

    public static function wrongToken(): Fault
    {
        return self::ofUser('Your log-in is not valid or has expired. Please log in again.');
    }

    public static function nicknameTaken(string $nickname): Fault
    {
        $onward = new Link('/auction/register.html', 'Back to the form');
        return new Fault(409, "The nickname {$nickname} is taken. Please choose another one.", $onward);
    }

    public static function closed(int $item): Fault
    {
        return self::ofItem($item, 'This auction is closed.');
    }

    public static function ownItem(int $item): Fault
    {
        return self::ofItem($item, "You can't bid on, buy or rate what you sell yourself.");
    }

    public static function notForSaleAtOnce(int $item): Fault
    {
        return self::ofItem($item, "This item can't be bought at once.");
    }

    public static function wrongSeller(int $item, int $to): Fault
    {
        return self::ofItem($item, "User {$to} does not sell item {$item}.");
    }

    public static function wrongQuantity(int $item, int $most): Fault
    {
        return self::ofItem($item, "The quantity must be from 1 to {$most}.");
    }

    public static function bidTooLow(int $item, Money $least): Fault
    {
        return self::ofItem($item, "The bid must be at least {$least}.");
    }

    public static function mostBelowBid(int $item): Fault
    {
        return self::ofItem($item, 'The most you would bid must not be less than your bid.');
    }

    public static function priceTooLow(): Fault
    {
        return self::ofSale('The first price must be at least 0.01.');
    }

    public static function wrongReserve(): Fault
    {
        return self::ofSale('The reserve price must be 0 or at least the first price.');
    }

    public static function wrongBuyNow(): Fault
    {
        return self::ofSale(
            'The price to buy at once must be 0 or at least the first and the reserve price.',
        );
    }

    private static function ofUser(string $message): Fault
    {
        return new Fault(403, $message, new Link('/auction/index.html', 'Home'));
    }

    private static function ofItem(int $item, string $message): Fault
    {
        return new Fault(409, $message, new Link("/auction/ViewItem?itemId={$item}", 'Back to the item'));
    }

    private static function ofSale(string $message): Fault
    {
        return new Fault(409, $message, new Link('/auction/sell.html', 'Back to selling'));
    }
}
