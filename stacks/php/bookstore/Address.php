<?php

declare(strict_types=1);

namespace Bookstore;

use Common\Database;
use Common\Fault;
use Common\Form;
use Common\Row;

/** An address that was typed into a form. */
final readonly class Address
{
    private function __construct(
        private string $street1,
        private string $street2,
        private string $city,
        private string $state,
        private string $zip,
        public int $country,
    ) {}

    /** @throws Fault */
    public static function read(Form $form): self
    {
        return new self(
            street1: $form->text('STREET_1', 40),
            street2: $form->isAbsent('STREET_2') ? '' : $form->text('STREET_2', 40),
            city: $form->text('CITY', 30),
            state: $form->text('STATE', 20),
            zip: $form->text('ZIP', 10),
            country: $form->id('COUNTRY'),
        );
    }

    /** @throws Fault if its country is none */
    public function check(Database $database): void
    {
        if ($database->row('SELECT co_name FROM country WHERE co_id = ?', $this->country) === null) {
            throw Fault::parameter('COUNTRY');
        }
    }

    /** The id of the first address that is the same, or else of a new one. Within a transaction. */
    public function findOrInsert(Database $database): int
    {
        $known = $database->row(
            'SELECT addr_id FROM address WHERE addr_zip = ? AND addr_street1 = ? AND addr_street2 = ? AND addr_city = ?
                AND addr_state = ? AND addr_co_id = ? ORDER BY addr_id LIMIT 1',
            $this->zip,
            $this->street1,
            $this->street2,
            $this->city,
            $this->state,
            $this->country,
        );
        return (
            $known?->int('addr_id') ?? $database->insertKeyed(
                'addr_id',
                'INSERT INTO address (addr_street1, addr_street2, addr_city, addr_state, addr_zip, addr_co_id)
                VALUES (?, ?, ?, ?, ?, ?)',
                $this->street1,
                $this->street2,
                $this->city,
                $this->state,
                $this->zip,
                $this->country,
            )
        );
    }

    /** @return list<Row> all countries, by name */
    public static function countries(Database $database): array
    {
        return $database->rows('SELECT co_id, co_name FROM country ORDER BY co_name, co_id');
    }
}
