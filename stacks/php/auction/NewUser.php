<?php

declare(strict_types=1);

namespace Auction;

use Common\Fault;
use Common\Form;
use Common\Password;

/** Who wants to register: all columns but those that every new user has alike. */
final readonly class NewUser
{
    private function __construct(
        public string $firstname,
        public string $lastname,
        public string $nickname,
        public string $email,
        public string $passwordHash,
        public int $region,
    ) {}

    /** @throws Fault */
    public static function read(Form $form): self
    {
        return new self(
            firstname: $form->text('firstname', 20),
            lastname: $form->text('lastname', 20),
            nickname: $nickname = $form->nickname('nickname', 20),
            email: $form->email('email', 50),
            passwordHash: Password::hash($nickname, $form->text('password', 20)),
            region: $form->id('region'),
        );
    }
}
