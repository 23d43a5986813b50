<?php

declare(strict_types=1);

namespace Bookstore\Interactions;

use Bookstore\Books;
use Bookstore\Given;
use Bookstore\Refusal;
use Common\Database;
use Common\Fault;
use Common\Form;
use Common\Interaction;
use Common\Page;
use Common\Row;
use Common\Visit;

/** Changes a book's price and pictures, and finds out again what goes with it. */
final readonly class AdminConfirm implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $form = $visit->form;
        $given = Given::read($form);
        $id = $form->id('I_ID');
        $cost = $form->money('I_NEW_COST');
        $image = self::picture($form, 'I_NEW_IMAGE', 'image');
        $thumbnail = self::picture($form, 'I_NEW_THUMBNAIL', 'thumb');
        $state = $given->open($visit->tokenKey);
        $database = $visit->database;
        $book = $database->row(
            'SELECT i_title, i_srp, i_related1, i_related2, i_related3, i_related4, i_related5 FROM item WHERE i_id = ?',
            $id,
        );
        $book ??= throw Fault::unknown('book', $id);
        $most = $book->money('i_srp');
        if ($cost->isZero() || $most->isLessThan($cost)) {
            throw Refusal::wrongPrice($most);
        }
        $database->update(
            'UPDATE item SET i_cost = ?, i_image = ?, i_thumbnail = ?, i_pub_date = NOW(), i_related1 = ?, i_related2 = ?,
                i_related3 = ?, i_related4 = ?, i_related5 = ? WHERE i_id = ?',
            $cost,
            $image,
            $thumbnail,
            ...self::boughtTogether($database, $id, Books::relatedIds($book)),
            ...[$id],
        );
        return new Page("{$book->text('i_title')} is changed", 'admin_confirm', [
            'state' => $state,
            'id' => $id,
            'title' => $book->text('i_title'),
            'cost' => $cost,
            'image' => $image,
            'thumbnail' => $thumbnail,
        ]);
    }

    /**
     * The five other books of which those who bought this one bought most copies lately; where there are fewer, those
     * follow that went with it before.
     *
     * @param list<int> $before
     *
     * @return list<int>
     */
    private static function boughtTogether(Database $database, int $id, array $before): array
    {
        $since = $database->row('SELECT MAX(o_id) - 10000 AS since FROM orders')?->int('since') ?? 0;
        $rows = $database->rows(
            'SELECT ol_i_id FROM orders JOIN order_line ON ol_o_id = o_id
                WHERE o_id > ? AND ol_i_id <> ? AND o_c_id IN (
                    SELECT o_c_id FROM order_line JOIN orders ON o_id = ol_o_id WHERE ol_i_id = ? AND o_id > ?)
                GROUP BY ol_i_id ORDER BY SUM(ol_qty) DESC, ol_i_id LIMIT 5',
            $since,
            $id,
            $id,
            $since,
        );
        $together = array_map(static fn(Row $row): int => $row->int('ol_i_id'), $rows);
        $left = array_diff($before, $together);
        return array_slice([...$together, ...$left], 0, count($before));
    }

    /**
     * The path of a picture of a book, in the folder of its number.
     *
     * @throws Fault
     */
    private static function picture(Form $form, string $name, string $kind): string
    {
        $path = $form->matching($name, "/\\Aimages\\/[0-9]{1,2}\\/{$kind}_[1-9][0-9]{0,8}\\.png\\z/");
        $number = (int) substr((string) strrchr($path, '_'), 1);
        $folder = $number % 100;
        return $path === "images/{$folder}/{$kind}_{$number}.png" ? $path : throw Fault::parameter($name);
    }
}
