<?php

declare(strict_types=1);

namespace Auction\Interactions;

use Auction\LogIn;
use Auction\Users;
use Common\Database;
use Common\Interaction;
use Common\Page;
use Common\Row;
use Common\Visit;
use RuntimeException;

/** Logs a user in and shows all that concerns them. */
final readonly class AboutMe implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $database = $visit->database;
        $id = LogIn::read($visit->form)->user($database);
        $user = self::user($database, $id);
        return new Page("About {$user->text('nickname')}", 'about_me', [
            'user' => $user,
            'bids' => self::bids($database, $id),
            'won' => self::won($database, $id),
            'bought' => self::bought($database, $id),
            'selling' => self::selling($database, $id),
            'sold' => self::sold($database, $id),
            'comments' => Users::comments($database, $id),
        ]);
    }

    private static function user(Database $database, int $id): Row
    {
        return (
            $database->row(
                'SELECT u.firstname, u.lastname, u.nickname, u.email, u.rating, u.balance, u.creation_date, r.name AS region
                FROM users u JOIN regions r ON r.id = u.region WHERE u.id = ?',
                $id,
            ) ?? throw new RuntimeException("user {$id} or their region is gone")
        );
    }

    /**
     * The open items that the user bids on, those that end first on top.
     *
     * @return list<Row>
     */
    private static function bids(Database $database, int $id): array
    {
        return $database->rows(
            'SELECT i.id, i.name, i.initial_price, i.max_bid, i.nb_of_bids, i.end_date,
                    MAX(b.bid) AS own_bid, MAX(b.max_bid) AS own_most
                FROM bids b JOIN items i ON i.id = b.item_id WHERE b.user_id = ? AND i.end_date >= NOW()
                GROUP BY i.id, i.name, i.initial_price, i.max_bid, i.nb_of_bids, i.end_date ORDER BY i.end_date, i.id',
            $id,
        );
    }

    /**
     * The closed items whose leader is the user and whose price has reached the reserve, the latest on top.
     *
     * @return list<Row>
     */
    private static function won(Database $database, int $id): array
    {
        return $database->rows('SELECT i.id, i.name, i.max_bid, i.end_date, i.seller, u.nickname
                FROM items i JOIN users u ON u.id = i.seller
                WHERE i.id IN (SELECT item_id FROM bids WHERE user_id = ?) AND i.end_date < NOW()
                    AND i.quantity > 0 AND i.max_bid >= i.reserve_price
                    AND (SELECT b.user_id FROM bids b WHERE b.item_id = i.id ORDER BY b.max_bid DESC, b.id LIMIT 1) = ?
                ORDER BY i.end_date DESC, i.id DESC', $id, $id);
    }

    /**
     * What the user has bought at once in the last 30 days, the latest on top.
     *
     * @return list<Row>
     */
    private static function bought(Database $database, int $id): array
    {
        return $database->rows("SELECT p.id, p.item_id, p.qty, p.date, i.name, i.buy_now FROM buy_now p JOIN items i ON i.id = p.item_id
                WHERE p.buyer_id = ? AND p.date >= NOW() - INTERVAL '30' DAY
                UNION ALL
                SELECT p.id, p.item_id, p.qty, p.date, i.name, i.buy_now FROM buy_now p JOIN old_items i ON i.id = p.item_id
                WHERE p.buyer_id = ? AND p.date >= NOW() - INTERVAL '30' DAY
                ORDER BY date DESC, id DESC", $id, $id);
    }

    /**
     * The open items of the user, those that end first on top.
     *
     * @return list<Row>
     */
    private static function selling(Database $database, int $id): array
    {
        return $database->rows(
            'SELECT id, name, initial_price, quantity, reserve_price, buy_now, nb_of_bids, max_bid, end_date FROM items
                WHERE seller = ? AND end_date >= NOW() ORDER BY end_date, id',
            $id,
        );
    }

    /**
     * The items of the user that have closed in the last 30 days, the latest on top.
     *
     * @return list<Row>
     */
    private static function sold(Database $database, int $id): array
    {
        return $database->rows("SELECT id, name, quantity, reserve_price, max_bid, end_date FROM items
                WHERE seller = ? AND end_date < NOW() AND end_date >= NOW() - INTERVAL '30' DAY
                UNION ALL
                SELECT id, name, quantity, reserve_price, max_bid, end_date FROM old_items
                WHERE seller = ? AND end_date >= NOW() - INTERVAL '30' DAY
                ORDER BY end_date DESC, id DESC", $id, $id);
    }
}
