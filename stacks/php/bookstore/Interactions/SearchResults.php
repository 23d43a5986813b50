<?php

declare(strict_types=1);

namespace Bookstore\Interactions;

use Bookstore\Given;
use Bookstore\Listing;
use Common\Interaction;
use Common\Page;
use Common\Visit;

/** The books whose authors or titles begin so, or that are on this subject. */
final readonly class SearchResults implements Interaction
{
    private const COLUMNS = 'i_id, i_title, i_pub_date, a_fname, a_lname';

    public function answer(Visit $visit): Page
    {
        $given = Given::read($visit->form);
        $type = $visit->form->choice('SEARCH_TYPE', 'author', 'title', 'subject');
        $text = $visit->form->text('SEARCH_STRING', 60);
        $state = $given->open($visit->tokenKey);
        $books = $visit->database->rows(
            'SELECT ' . self::COLUMNS . ' FROM ' . self::from($type) . ' ORDER BY i_title, i_id LIMIT 50',
            $type === 'subject' ? $text : addcslashes($text, '\\%_') . '%',
        );
        $caption = 'What was found, by title';
        return Listing::published("Books by {$type}: {$text}", $caption, $books)->page($visit, $state);
    }

    private static function from(string $type): string
    {
        return match ($type) {
            'author' => 'author JOIN item ON i_a_id = a_id WHERE a_lname LIKE ?',
            'title' => 'item JOIN author ON a_id = i_a_id WHERE i_title LIKE ?',
            default => 'item JOIN author ON a_id = i_a_id WHERE i_subject = ?',
        };
    }
}
