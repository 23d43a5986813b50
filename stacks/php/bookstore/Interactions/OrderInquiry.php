<?php

declare(strict_types=1);

namespace Bookstore\Interactions;

use Bookstore\Given;
use Common\Interaction;
use Common\Page;
use Common\Visit;

/** The form to log in and see one's last order. */
final readonly class OrderInquiry implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $state = Given::read($visit->form)->open($visit->tokenKey);
        return new Page('Your orders', 'order_inquiry', ['state' => $state]);
    }
}
