<?php

declare(strict_types=1);

namespace Bookstore\Interactions;

use Bookstore\Given;
use Bookstore\LogIn;
use Common\Database;
use Common\Interaction;
use Common\Page;
use Common\Row;
use Common\Visit;
use RuntimeException;

/** Logs a customer in and shows their last order. */
final readonly class OrderDisplay implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $given = Given::read($visit->form);
        $logIn = LogIn::read($visit->form);
        $state = $given->open($visit->tokenKey);
        $database = $visit->database;
        $customer = $logIn->customer($database);
        $state = $state->greeting($customer);
        $order = $database->row(
            'SELECT o_id, o_date, o_sub_total, o_tax, o_total, o_ship_type, o_ship_date, o_bill_addr_id, o_ship_addr_id, o_status,
                    cx_type, cx_num, cx_name, cx_auth_id
                FROM orders JOIN cc_xacts ON cx_o_id = o_id WHERE o_c_id = ? ORDER BY o_id DESC LIMIT 1',
            $customer,
        );
        if ($order === null) {
            return new Page('Your last order', 'no_order', ['state' => $state]);
        }
        return new Page('Your last order', 'order_display', [
            'state' => $state,
            'order' => $order,
            'addresses' => [
                'Billed to' => self::address($database, $order->int('o_bill_addr_id')),
                'Sent to' => self::address($database, $order->int('o_ship_addr_id')),
            ],
            'lines' => $database->rows(
                'SELECT ol_i_id, i_title, ol_qty, ol_discount, ol_price, ol_comments
                    FROM order_line JOIN item ON i_id = ol_i_id WHERE ol_o_id = ? ORDER BY ol_id',
                $order->int('o_id'),
            ),
        ]);
    }

    private static function address(Database $database, int $id): Row
    {
        $row = $database->row(
            'SELECT addr_street1, addr_street2, addr_city, addr_state, addr_zip, co_name
                FROM address JOIN country ON co_id = addr_co_id WHERE addr_id = ?',
            $id,
        );
        return $row ?? throw new RuntimeException("there is no address {$id}");
    }
}
