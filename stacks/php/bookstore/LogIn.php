<?php

declare(strict_types=1);

namespace Bookstore;

use Common\Database;
use Common\Fault;
use Common\Form;
use Common\Password;
use SensitiveParameter;

/** User name and password, with which customers say who they are. */
final readonly class LogIn
{
    private function __construct(
        private string $uname,
        #[SensitiveParameter]
        private string $password,
    ) {}

    /** @throws Fault */
    public static function read(Form $form): self
    {
        return new self($form->nickname('UNAME', 20), $form->text('PASSWD', 20));
    }

    /**
     * The customer's id.
     *
     * @throws Fault if user name or password is wrong
     */
    public function customer(Database $database): int
    {
        $customer = $database->row('SELECT c_id, c_passwd FROM customer WHERE c_uname = ?', $this->uname);
        if (
            $customer === null
            || !hash_equals($customer->text('c_passwd'), Password::hash($this->uname, $this->password))
        ) {
            throw Refusal::wrongLogIn();
        }
        return $customer->int('c_id');
    }
}
