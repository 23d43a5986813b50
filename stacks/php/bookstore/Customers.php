<?php

declare(strict_types=1);

namespace Bookstore;

use Common\Database;
use Common\Row;
use RuntimeException;

/** The customers, as far as they are not new. */
final class Customers
{
    /** Notes that a customer has logged in. */
    public static function logIn(Database $database, int $customer): void
    {
        $database->update("UPDATE customer SET c_last_login = c_login, c_login = NOW(), c_expiration = NOW() + INTERVAL '2' HOUR
                WHERE c_id = ?", $customer);
    }

    /** All that the checkout shows of a customer who is there. */
    public static function atCheckout(Database $database, int $customer): Row
    {
        $row = $database->row(
            'SELECT c_fname, c_lname, c_email, c_discount, addr_street1, addr_street2, addr_city, addr_state, addr_zip, co_name
                FROM customer JOIN address ON addr_id = c_addr_id JOIN country ON co_id = addr_co_id WHERE c_id = ?',
            $customer,
        );
        return $row ?? throw new RuntimeException("customer {$customer} is gone");
    }
}
