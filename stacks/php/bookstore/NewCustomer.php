<?php

declare(strict_types=1);

namespace Bookstore;

use Common\Database;
use Common\DuplicateKey;
use Common\Fault;
use Common\Form;
use Common\Password;

/** Who wants to register: all columns but those that every new customer has alike. */
final readonly class NewCustomer
{
    private const FIRST_YEAR = 1880;

    private const LAST_YEAR = 2100;

    private const HIGHEST_DISCOUNT = 50;

    private function __construct(
        private string $uname,
        private string $passwordHash,
        /** @var list{string, string} the first name and the last name */
        private array $names,
        private Address $address,
        private string $phone,
        private string $email,
        private string $birthdate,
        private string $data,
    ) {}

    /** @throws Fault */
    public static function read(Form $form): self
    {
        return new self(
            uname: $uname = $form->nickname('NEW_UNAME', 20),
            passwordHash: Password::hash($uname, $form->text('NEW_PASSWD', 20)),
            names: [$form->text('FNAME', 17), $form->text('LNAME', 17)],
            address: Address::read($form),
            phone: $form->text('PHONE', 16),
            email: $form->email('EMAIL', 50),
            birthdate: self::date($form, 'BIRTHDATE'),
            data: $form->text('DATA', 500),
        );
    }

    /** @throws Fault if the country is none */
    public function check(Database $database): void
    {
        $this->address->check($database);
    }

    /**
     * Adds the customer, with an address that is there already or a new one. Returns the customer's id.
     *
     * @throws Fault if the user name is taken
     */
    public function register(Database $database): int
    {
        try {
            return $database->transaction(
                ['customer', 'address'],
                /** @throws Fault */
                fn(): int => $this->insert($database),
            );
        } catch (DuplicateKey) {
            throw Refusal::unameTaken($this->uname);
        }
    }

    /**
     * Looks first, so that a refusal uses up no id. Where two register at once, the unique key refuses one of them.
     *
     * @throws Fault
     */
    private function insert(Database $database): int
    {
        if ($database->row('SELECT c_id FROM customer WHERE c_uname = ?', $this->uname) !== null) {
            throw Refusal::unameTaken($this->uname);
        }
        $address = $this->address->findOrInsert($database);
        return $database->insertKeyed(
            'c_id',
            "INSERT INTO customer (c_uname, c_passwd, c_fname, c_lname, c_addr_id, c_phone, c_email, c_since, c_last_login,
                    c_login, c_expiration, c_discount, c_balance, c_ytd_pmt, c_birthdate, c_data)
                VALUES (?, ?, ?, ?, ?, ?, ?, NOW(), NOW(), NOW(), NOW() + INTERVAL '2' HOUR, ?, 0, 0, ?, ?)",
            $this->uname,
            $this->passwordHash,
            $this->names[0],
            $this->names[1],
            $address,
            $this->phone,
            $this->email,
            $this->discount(),
            $this->birthdate,
            $this->data,
        );
    }

    /** In percent; as good as any. */
    private function discount(): int
    {
        return array_sum(array_map(ord(...), str_split($this->uname))) % (self::HIGHEST_DISCOUNT + 1);
    }

    /**
     * A day of the calendar.
     *
     * @throws Fault
     */
    private static function date(Form $form, string $name): string
    {
        $date = $form->matching($name, '/\A[0-9]{4}-[0-9]{2}-[0-9]{2}\z/');
        [$year, $month, $day] = [
            (int) substr($date, 0, 4),
            (int) substr($date, 5, 2),
            (int) substr($date, 8),
        ];
        $isRight = $year >= self::FIRST_YEAR && $year <= self::LAST_YEAR && checkdate($month, $day, $year);
        return $isRight ? "{$date} 00:00:00" : throw Fault::parameter($name);
    }
}
