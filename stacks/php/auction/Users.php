<?php

declare(strict_types=1);

namespace Auction;

use Common\Database;
use Common\Row;
use RuntimeException;

/** Those who sell, bid, buy and comment. */
final class Users
{
    /** Only for users whom another row refers to. */
    public static function nickname(Database $database, int $id): string
    {
        $row = $database->row('SELECT nickname FROM users WHERE id = ?', $id);
        return $row?->text('nickname') ?? throw new RuntimeException("there is no user {$id}");
    }

    /**
     * What others say about a user, the latest on top.
     *
     * @return list<Row>
     */
    public static function comments(Database $database, int $about): array
    {
        return $database->rows(
            'SELECT c.from_user_id, u.nickname, c.item_id, c.rating, c.date, c.comment
                FROM comments c JOIN users u ON u.id = c.from_user_id
                WHERE c.to_user_id = ? ORDER BY c.date DESC, c.id DESC',
            $about,
        );
    }
}
