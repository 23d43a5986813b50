<?php

declare(strict_types=1);

namespace Bookstore\Interactions;

use Bookstore\Address;
use Bookstore\Cart;
use Bookstore\CartLine;
use Bookstore\Customers;
use Bookstore\Given;
use Bookstore\LogIn;
use Bookstore\NewCustomer;
use Bookstore\State;
use Bookstore\Totals;
use Common\Database;
use Common\Fault;
use Common\Interaction;
use Common\Page;
use Common\Row;
use Common\Visit;

/** A customer logs in or registers, and sees what the cart comes to. */
final readonly class BuyRequest implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $sealed = Given::sealedCart($visit->form);
        $returns = $visit->form->choice('RETURNING_FLAG', 'N', 'Y') === 'Y';
        $buyer = $returns ? LogIn::read($visit->form) : NewCustomer::read($visit->form);
        $cart = Given::openCart($sealed, $visit->tokenKey);
        $database = $visit->database;
        [$id, $books] = $buyer instanceof LogIn
            ? self::logIn($database, $buyer, $cart)
            : self::register($database, $buyer, $cart);
        $customer = Customers::atCheckout($database, $id);
        $discount = $customer->int('c_discount');
        $lines = array_map(static fn(Row $row): CartLine => new CartLine($row, $discount), $books);
        return new Page('Checkout', 'buy_request', [
            'state' => State::with($id, $cart, $visit->tokenKey),
            'customer' => $customer,
            'registered' => $returns ? null : $id,
            'lines' => $lines,
            'totals' => new Totals($lines),
            'countries' => Address::countries($database),
            'token' => $visit->tokenKey->sign($id),
        ]);
    }

    /**
     * The customer, and the books in the cart.
     *
     * @return array{int, list<Row>}
     *
     * @throws Fault
     */
    private static function logIn(Database $database, LogIn $logIn, int $cart): array
    {
        $id = $logIn->customer($database);
        $books = self::books($database, $cart);
        Customers::logIn($database, $id);
        return [$id, $books];
    }

    /**
     * @return array{int, list<Row>}
     *
     * @throws Fault
     */
    private static function register(Database $database, NewCustomer $new, int $cart): array
    {
        $new->check($database);
        $books = self::books($database, $cart);
        return [$new->register($database), $books];
    }

    /**
     * @return list<Row>
     *
     * @throws Fault if the cart can't be ordered
     */
    private static function books(Database $database, int $cart): array
    {
        Cart::check($database, $cart);
        return Cart::books($database, $cart, 'i_id, i_title, i_cost, scl_qty');
    }
}
