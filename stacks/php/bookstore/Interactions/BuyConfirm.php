<?php

declare(strict_types=1);

namespace Bookstore\Interactions;

use Bookstore\Address;
use Bookstore\Card;
use Bookstore\Cart;
use Bookstore\CartLine;
use Bookstore\Given;
use Bookstore\Order;
use Bookstore\PaymentGateway;
use Bookstore\Refusal;
use Bookstore\Shipping;
use Bookstore\State;
use Common\Database;
use Common\Fault;
use Common\Interaction;
use Common\Page;
use Common\Row;
use Common\Visit;

/** Orders a cart, once the bank has authorised the payment; while that is asked, nothing is locked. */
final readonly class BuyConfirm implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $form = $visit->form;
        $token = $form->text('token', 100);
        $sealed = Given::sealedCart($form);
        $card = Card::read($form);
        $shipping = Shipping::from($form->choice('SHIPPING', ...Shipping::names()));
        $address = $form->isAbsent('STREET_1') ? null : Address::read($form);
        $customer = $visit->tokenKey->verify($token) ?? throw Refusal::wrongToken();
        $cart = Given::openCart($sealed, $visit->tokenKey);
        $database = $visit->database;
        $address?->check($database);
        $buyer = self::buyer($database, $customer);
        Cart::check($database, $cart);
        $discount = $buyer->int('c_discount');
        $lines = array_map(
            static fn(Row $row): CartLine => new CartLine($row, $discount),
            Cart::books($database, $cart, 'scl_id, i_id, scl_qty, i_title, i_cost'),
        );
        $order = new Order($customer, $buyer, $cart, $lines, $card, $shipping, $address);
        $authorization = PaymentGateway::authorize($cart, $card, $order->totals->total);
        $number = $order->place($database, $authorization);
        return new Page('Thank you', 'buy_confirm', [
            'state' => new State($customer),
            'number' => $number,
            'order' => $order,
            'authorization' => $authorization,
        ]);
    }

    /** @throws Fault if there is no such customer */
    private static function buyer(Database $database, int $customer): Row
    {
        $row = $database->row(
            'SELECT c_discount, c_addr_id, addr_co_id FROM customer JOIN address ON addr_id = c_addr_id WHERE c_id = ?',
            $customer,
        );
        return $row ?? throw Fault::unknown('customer', $customer);
    }
}
