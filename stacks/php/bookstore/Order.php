<?php

declare(strict_types=1);

namespace Bookstore;

use Common\Database;
use Common\Fault;
use Common\Row;

/** A cart that a customer orders. */
final readonly class Order
{
    /** What is always there of a book, and how many come with a delivery. */
    private const LEAST_STOCK = 10;

    private const DELIVERY = 21;

    public Totals $totals;

    /**
     * @param list<CartLine> $lines
     * @param Row $buyer the customer's discount and address
     */
    public function __construct(
        private int $customer,
        private Row $buyer,
        private int $cart,
        private array $lines,
        public Card $card,
        public Shipping $shipping,
        private ?Address $address,
    ) {
        $this->totals = new Totals($lines);
    }

    /**
     * Records what the bank has authorised. Returns the number of the order.
     *
     * @throws Fault if the cart was ordered or changed meanwhile
     */
    public function place(Database $database, string $authorization): int
    {
        $tables = ['shopping_cart', 'shopping_cart_line', 'orders', 'order_line', 'cc_xacts', 'item'];
        return $database->transaction(
            $this->address === null ? $tables : [...$tables, 'address'],
            /** @throws Fault */
            fn(): int => $this->record($database, $authorization),
        );
    }

    /** @throws Fault */
    private function record(Database $database, string $authorization): int
    {
        $order = Cart::lock($database, $this->cart);
        if ($order !== null) {
            throw Refusal::ordered($order);
        }
        if (!$this->isAsAuthorized(Cart::lines($database, $this->cart))) {
            throw Refusal::cartChanged();
        }
        $address = $this->address?->findOrInsert($database) ?? $this->buyer->int('c_addr_id');
        $order = $this->insert($database, $address);
        foreach ($this->lines as $line) {
            $this->insertLine($database, $order, $line);
        }
        $this->insertPayment($database, $order, $authorization);
        foreach ($this->lines as $line) {
            $database->update('DELETE FROM shopping_cart_line WHERE scl_id = ?', $line->row->int('scl_id'));
        }
        $database->update(
            'UPDATE shopping_cart SET sc_time = NOW(), sc_o_id = ? WHERE sc_id = ?',
            $order,
            $this->cart,
        );
        $this->takeFromStock($database);
        return $order;
    }

    /** @param list<Row> $now the lines of the cart */
    private function isAsAuthorized(array $now): bool
    {
        $essence = static fn(Row $line): string => "{$line->int('scl_id')}: {$line->int('scl_qty')}";
        $then = array_map(static fn(CartLine $line): string => $essence($line->row), $this->lines);
        return array_map($essence, $now) === $then;
    }

    private function insert(Database $database, int $address): int
    {
        $days = $this->shipping->days();
        return $database->insertKeyed(
            'o_id',
            "INSERT INTO orders (o_c_id, o_date, o_sub_total, o_tax, o_total, o_ship_type, o_ship_date, o_bill_addr_id,
                    o_ship_addr_id, o_status) VALUES (?, NOW(), ?, ?, ?, ?, NOW() + INTERVAL '{$days}' DAY, ?, ?, 'PENDING')",
            $this->customer,
            $this->totals->subTotal,
            $this->totals->tax,
            $this->totals->total,
            $this->shipping->value,
            $this->buyer->int('c_addr_id'),
            $address,
        );
    }

    private function insertLine(Database $database, int $order, CartLine $line): void
    {
        $database->insertKeyed(
            'ol_id',
            'INSERT INTO order_line (ol_o_id, ol_i_id, ol_qty, ol_discount, ol_price, ol_comments)
                VALUES (?, ?, ?, ?, ?, ?)',
            $order,
            $line->item,
            $line->quantity,
            $this->buyer->int('c_discount'),
            $line->price,
            "{$line->quantity} of {$line->title}",
        );
    }

    private function insertPayment(Database $database, int $order, string $authorization): void
    {
        $database->update(
            'INSERT INTO cc_xacts (cx_o_id, cx_type, cx_num, cx_name, cx_expire, cx_auth_id, cx_xact_amt, cx_xact_date,
                    cx_co_id) VALUES (?, ?, ?, ?, ?, ?, ?, NOW(), ?)',
            $order,
            $this->card->type,
            $this->card->masked(),
            $this->card->name,
            "{$this->card->expiry}-01 00:00:00",
            $authorization,
            $this->totals->total,
            $this->address->country ?? $this->buyer->int('addr_co_id'),
        );
    }

    /** By the ids of the books, so that no two orders wait for each other; and last, because many want them. */
    private function takeFromStock(Database $database): void
    {
        $copies = [];
        foreach ($this->lines as $line) {
            $copies[$line->item] = $line->quantity;
        }
        ksort($copies);
        foreach ($copies as $item => $quantity) {
            $stock =
                $database->row('SELECT i_stock FROM item WHERE i_id = ? FOR UPDATE', $item)?->int('i_stock')
                ?? 0;
            $left = $stock - $quantity;
            while ($left < self::LEAST_STOCK) {
                $left += self::DELIVERY;
            }
            $database->update('UPDATE item SET i_stock = ? WHERE i_id = ?', $left, $item);
        }
    }
}
