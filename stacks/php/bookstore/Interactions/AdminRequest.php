<?php

declare(strict_types=1);

namespace Bookstore\Interactions;

use Bookstore\Books;
use Bookstore\Given;
use Common\Interaction;
use Common\Page;
use Common\Visit;

/** A book with the form to change its price and its pictures. */
final readonly class AdminRequest implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $given = Given::read($visit->form);
        $id = $visit->form->id('I_ID');
        $state = $given->open($visit->tokenKey);
        $columns = 'i_id, i_title, i_cost, i_srp, i_image, i_thumbnail, i_related1, i_related2, i_related3, i_related4,
            i_related5, a_fname, a_lname';
        $book = Books::withAuthor($visit->database, $id, $columns);
        return new Page("Change {$book->text('i_title')}", 'admin_request', [
            'state' => $state,
            'book' => $book,
            'related' => Books::related($visit->database, $book, 'i_id, i_title, i_image, i_thumbnail'),
        ]);
    }
}
