<?php

declare(strict_types=1);

namespace Bookstore\Interactions;

use Bookstore\Address;
use Bookstore\Given;
use Bookstore\State;
use Common\Fault;
use Common\Interaction;
use Common\Page;
use Common\Visit;

/** Before a cart is ordered: the form to log in, or the one to register. */
final readonly class CustomerRegistration implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $given = Given::read($visit->form);
        if (!$given->hasCart()) {
            throw Fault::parameter(State::CART);
        }
        $flag = $visit->form->isAbsent('RETURNING_FLAG')
            ? null
            : $visit->form->choice('RETURNING_FLAG', 'N', 'Y');
        $state = $given->open($visit->tokenKey);
        if ($flag === 'Y' || $flag === null && $state->customer !== null) {
            return new Page('Log in', 'log_in', ['state' => $state]);
        }
        return new Page('Register', 'register', [
            'state' => $state,
            'countries' => Address::countries($visit->database),
        ]);
    }
}
