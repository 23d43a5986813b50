<?php

declare(strict_types=1);

namespace Auction;

use Common\Database;
use Common\Fault;
use Common\Form;
use Common\Password;
use SensitiveParameter;

/** Nickname and password, with which users say who they are. */
final readonly class LogIn
{
    private function __construct(
        private string $nickname,
        #[SensitiveParameter]
        private string $password,
    ) {}

    /** @throws Fault */
    public static function read(Form $form): self
    {
        return new self($form->nickname('nickname', 20), $form->text('password', 20));
    }

    /**
     * The user's id.
     *
     * @throws Fault if nickname or password is wrong
     */
    public function user(Database $database): int
    {
        $user = $database->row('SELECT id, password FROM users WHERE nickname = ?', $this->nickname);
        if (
            $user === null
            || !hash_equals($user->text('password'), Password::hash($this->nickname, $this->password))
        ) {
            throw Refusal::wrongLogIn();
        }
        return $user->int('id');
    }
}
