<?php

declare(strict_types=1);

namespace Bookstore\Interactions;

use Bookstore\Given;
use Bookstore\Listing;
use Bookstore\Subject;
use Common\Interaction;
use Common\Page;
use Common\Visit;

/** The books on a subject that sold best in the last orders. */
final readonly class BestSellers implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $given = Given::read($visit->form);
        $subject = $visit->form->choice('SUBJECT', ...Subject::ALL);
        $state = $given->open($visit->tokenKey);
        $books = $visit->database->rows(
            'SELECT i_id, i_title, a_fname, a_lname, CAST(SUM(ol_qty) AS INTEGER) AS sold
                FROM order_line JOIN item ON i_id = ol_i_id JOIN author ON a_id = i_a_id
                WHERE ol_o_id > (SELECT MAX(o_id) - 3333 FROM orders) AND i_subject = ?
                GROUP BY i_id, i_title, a_fname, a_lname ORDER BY sold DESC, i_id LIMIT 50',
            $subject,
        );
        $caption = 'The books that sold best lately';
        return Listing::sold("Best sellers: {$subject}", $caption, $books)->page($visit, $state);
    }
}
