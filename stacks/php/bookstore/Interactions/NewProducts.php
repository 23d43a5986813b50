<?php

declare(strict_types=1);

namespace Bookstore\Interactions;

use Bookstore\Given;
use Bookstore\Listing;
use Bookstore\Subject;
use Common\Interaction;
use Common\Page;
use Common\Visit;

/** The books on a subject that were published last. */
final readonly class NewProducts implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $given = Given::read($visit->form);
        $subject = $visit->form->choice('SUBJECT', ...Subject::ALL);
        $state = $given->open($visit->tokenKey);
        $books = $visit->database->rows(
            'SELECT i_id, i_title, i_pub_date, a_fname, a_lname FROM item JOIN author ON a_id = i_a_id
                WHERE i_subject = ? ORDER BY i_pub_date DESC, i_title, i_id LIMIT 50',
            $subject,
        );
        $caption = 'The books that were published last';
        return Listing::published("New books: {$subject}", $caption, $books)->page($visit, $state);
    }
}
