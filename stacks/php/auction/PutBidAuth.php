<?php

declare(strict_types=1);

namespace Auction;

use Common\Interaction;
use Common\Page;
use Common\Visit;

/** The form with which a bidder logs in. It needs no database. */
final readonly class PutBidAuth implements Interaction
{
    public function answer(Visit $visit): Page
    {
        return new Page('Log in to bid', 'put_bid_auth', ['itemId' => $visit->form->id('itemId')]);
    }
}
