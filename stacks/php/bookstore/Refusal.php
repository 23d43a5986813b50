<?php

declare(strict_types=1);

namespace Bookstore;

use Common\Fault;
use Common\Link;
use Common\Money;

/** Refusals of visitors who aren't known, by the bookstore's rules of business, and by the bank. */
final class Refusal
{
    public static function wrongLogIn(): Fault
    {
        return self::withWayHome(403, 'The user name or the password is wrong.');
    }

    public static function wrongToken(): Fault
    {
        return self::withWayHome(403, 'Your log-in is not valid or has expired. Please log in again.');
    }

    public static function wrongCart(): Fault
    {
        return self::withWayHome(403, 'This is no cart of ours. Please begin a new one.');
    }

    public static function unameTaken(string $uname): Fault
    {
        return self::withWayHome(409, "The user name {$uname} is taken. Please choose another one.");
    }

    public static function fullCart(int $most): Fault
    {
        return self::withWayHome(409, "A cart holds at most {$most} different books.");
    }

    public static function ordered(int $order): Fault
    {
        $onward = new Link('/bookstore/OrderInquiry', 'Your orders');
        return new Fault(409, "This cart has been ordered already: it is order {$order}.", $onward);
    }

    /** Only somebody who does two things at once with a cart meets it. */
    public static function cartChanged(): Fault
    {
        return self::withWayHome(409, 'Your cart has changed meanwhile. Please look at it once more.');
    }

    public static function declined(): Fault
    {
        return self::withWayHome(409, 'Your bank declines the payment. Nothing has been ordered.');
    }

    public static function noAnswer(): Fault
    {
        return self::withWayHome(504, 'Your bank does not answer. Nothing has been ordered.');
    }

    public static function wrongPrice(Money $most): Fault
    {
        return new Fault(409, "The price must be from 0.01 to {$most}.");
    }

    private static function withWayHome(int $status, string $message): Fault
    {
        return new Fault($status, $message, new Link('/bookstore/Home', 'Home'));
    }
}
