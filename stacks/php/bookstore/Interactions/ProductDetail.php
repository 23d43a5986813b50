<?php

declare(strict_types=1);

namespace Bookstore\Interactions;

use Bookstore\Books;
use Bookstore\Given;
use Common\Interaction;
use Common\Page;
use Common\Visit;

/** A book, and the books that go with it. */
final readonly class ProductDetail implements Interaction
{
    private const COLUMNS = 'i_id, i_title, i_pub_date, i_publisher, i_subject, i_desc, i_related1, i_related2, i_related3, i_related4,
            i_related5, i_image, i_srp, i_cost, i_avail, i_stock, i_isbn, i_page, i_backing, i_dimensions, a_fname, a_mname,
            a_lname, a_bio';

    public function answer(Visit $visit): Page
    {
        $given = Given::read($visit->form);
        $id = $visit->form->id('I_ID');
        $state = $given->open($visit->tokenKey);
        $book = Books::withAuthor($visit->database, $id, self::COLUMNS);
        return new Page($book->text('i_title'), 'product_detail', [
            'state' => $state,
            'book' => $book,
            'related' => Books::related($visit->database, $book),
            'hasCartButton' => false,
        ]);
    }
}
