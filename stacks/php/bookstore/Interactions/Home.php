<?php

declare(strict_types=1);

namespace Bookstore\Interactions;

use Bookstore\Books;
use Bookstore\Given;
use Common\Fault;
use Common\Interaction;
use Common\Page;
use Common\Visit;

/** Greets a customer, and leads to the new books and the best sellers of each subject. */
final readonly class Home implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $state = Given::read($visit->form)->open($visit->tokenKey);
        $customer = null;
        if ($state->customer !== null) {
            $customer = $visit->database->row(
                'SELECT c_fname, c_lname FROM customer WHERE c_id = ?',
                $state->customer,
            );
            $customer ??= throw Fault::unknown('customer', $state->customer);
        }
        return new Page('Home', 'home', [
            'state' => $state,
            'customer' => $customer,
            'promoted' => Books::promoted($visit->database, $state),
        ]);
    }
}
