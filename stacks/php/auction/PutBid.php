<?php

declare(strict_types=1);

namespace Auction;

use Common\Fault;
use Common\Interaction;
use Common\Page;
use Common\Password;
use Common\Visit;
use SensitiveParameter;

/** Logs a bidder in and shows the item with the form for the bid. */
final readonly class PutBid implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $id = $visit->form->id('itemId');
        $nickname = $visit->form->nickname('nickname', 20);
        $password = $visit->form->text('password', 20);
        $user = self::logIn($visit, $nickname, $password);
        $row = $visit->database->row('SELECT name, description, initial_price, quantity, nb_of_bids, max_bid, start_date, end_date, seller,
                end_date >= NOW() AS open FROM items WHERE id = ?', $id);
        $item = new Item($id, $row ?? throw Fault::unknown('item', $id));
        if (!$item->isOpen()) {
            throw Refusal::closed($id);
        }
        return new Page("Bid on {$item->name()}", 'put_bid', [
            'item' => $item,
            'seller' => Seller::nickname($visit->database, $item),
            'token' => $visit->tokenKey->sign($user),
        ]);
    }

    /** @throws Fault */
    private static function logIn(Visit $visit, string $nickname, #[SensitiveParameter] string $password): int
    {
        $user = $visit->database->row('SELECT id, password FROM users WHERE nickname = ?', $nickname);
        if ($user === null || !hash_equals($user->text('password'), Password::hash($nickname, $password))) {
            throw Fault::wrongLogIn();
        }
        return $user->int('id');
    }
}
