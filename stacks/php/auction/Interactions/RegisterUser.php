<?php

declare(strict_types=1);

namespace Auction\Interactions;

use Auction\Listing;
use Auction\NewUser;
use Auction\Refusal;
use Common\Database;
use Common\DuplicateKey;
use Common\Fault;
use Common\Interaction;
use Common\Page;
use Common\Visit;
use RuntimeException;

/** Adds a user. */
final readonly class RegisterUser implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $new = NewUser::read($visit->form);
        $database = $visit->database;
        $region = Listing::Regions->tryName($database, $new->region) ?? throw Fault::parameter('region');
        $id = self::insert($database, $new);
        $user = $database->row('SELECT creation_date FROM users WHERE id = ?', $id);
        return new Page("Welcome, {$new->nickname}", 'register_user', [
            'id' => $id,
            'new' => $new,
            'region' => $region,
            'creationDate' => $user?->text('creation_date') ?? throw new RuntimeException(
                "user {$id} is gone",
            ),
        ]);
    }

    /**
     * Looks first, so that a refusal uses up no id. Where two register at once, the unique key refuses one of them.
     *
     * @throws Fault if the nickname is taken
     */
    private static function insert(Database $database, NewUser $new): int
    {
        if ($database->row('SELECT id FROM users WHERE nickname = ?', $new->nickname) !== null) {
            throw Refusal::nicknameTaken($new->nickname);
        }
        try {
            return $database->insert(
                "INSERT INTO users (firstname, lastname, nickname, password, email, rating, balance, creation_date, region)
                    VALUES (?, ?, ?, ?, ?, 0, 0, {$database->now()}, ?)",
                $new->firstname,
                $new->lastname,
                $new->nickname,
                $new->passwordHash,
                $new->email,
                $new->region,
            );
        } catch (DuplicateKey) {
            throw Refusal::nicknameTaken($new->nickname);
        }
    }
}
