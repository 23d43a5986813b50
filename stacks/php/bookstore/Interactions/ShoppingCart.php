<?php

declare(strict_types=1);

namespace Bookstore\Interactions;

use Bookstore\Books;
use Bookstore\Cart;
use Bookstore\CartChange;
use Bookstore\CartLine;
use Bookstore\CartUpdate;
use Bookstore\Given;
use Bookstore\State;
use Bookstore\Totals;
use Common\Interaction;
use Common\Page;
use Common\Row;
use Common\Visit;

/** Shows a cart, after it was changed. */
final readonly class ShoppingCart implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $given = Given::read($visit->form);
        $update = CartUpdate::read($visit->form);
        $state = $given->open($visit->tokenKey);
        $database = $visit->database;
        $update->check($database);
        $items = Books::count($database);
        $cart = (new CartChange($database, $update, $items))->make($state->cart);
        $state = State::with($state->customer, $cart->id, $visit->tokenKey);
        $columns = 'i_id, i_title, i_thumbnail, i_cost, i_srp, i_backing, scl_qty';
        $lines = array_map(
            static fn(Row $row): CartLine => new CartLine($row),
            Cart::books($database, $cart->id, $columns),
        );
        return new Page('Your cart', 'shopping_cart', [
            'state' => $state,
            'cart' => $cart,
            'lines' => $lines,
            'subTotal' => (new Totals($lines))->subTotal,
            'promoted' => Books::promoted($database, $state, $items),
            'hasCartButton' => false,
        ]);
    }
}
