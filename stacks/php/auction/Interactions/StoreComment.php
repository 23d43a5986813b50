<?php

declare(strict_types=1);

namespace Auction\Interactions;

use Auction\Comment;
use Auction\ItemRules;
use Auction\Items;
use Auction\Refusal;
use Common\Database;
use Common\Fault;
use Common\Interaction;
use Common\Page;
use Common\Visit;

/** Records a comment and adds to the rating of whom it is about. */
final readonly class StoreComment implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $comment = self::read($visit);
        $database = $visit->database;
        // Neither the name nor the seller of an item ever changes, so nothing needs to be locked here.
        $item = Items::any($database, $comment->item, 'name, seller');
        ItemRules::checkComment($item, $comment->from, $comment->to);
        $record = static fn(): int => self::record($database, $comment);
        $id = $database->transaction(['comments', 'users'], $record);
        return new Page('Your comment is published', 'store_comment', [
            'id' => $id,
            'comment' => $comment,
            'item' => $item,
        ]);
    }

    /** @throws Fault */
    private static function read(Visit $visit): Comment
    {
        $item = $visit->form->id('itemId');
        $to = $visit->form->id('to');
        $token = $visit->form->text('token', 100);
        $rating = (int) $visit->form->choice('rating', '-5', '-3', '0', '3', '5');
        $text = $visit->form->text('comment', 2048);
        return new Comment(
            from: $visit->tokenKey->verify($token) ?? throw Refusal::wrongToken(),
            to: $to,
            item: $item,
            rating: $rating,
            text: $text,
        );
    }

    /** Returns the id of the comment. */
    private static function record(Database $database, Comment $comment): int
    {
        $id = $database->insert(
            "INSERT INTO comments (from_user_id, to_user_id, item_id, rating, date, comment)
                VALUES (?, ?, ?, ?, {$database->now()}, ?)",
            $comment->from,
            $comment->to,
            $comment->item,
            $comment->rating,
            $comment->text,
        );
        $database->update(
            'UPDATE users SET rating = rating + ? WHERE id = ?',
            $comment->rating,
            $comment->to,
        );
        return $id;
    }
}
