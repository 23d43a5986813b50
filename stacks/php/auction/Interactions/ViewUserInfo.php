<?php

declare(strict_types=1);

namespace Auction\Interactions;

use Auction\Users;
use Common\Fault;
use Common\Interaction;
use Common\Page;
use Common\Visit;

/** What everybody may know about a user. */
final readonly class ViewUserInfo implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $id = $visit->form->id('userId');
        $found = $visit->database->row('SELECT nickname, rating, creation_date FROM users WHERE id = ?', $id);
        $user = $found ?? throw Fault::unknown('user', $id);
        return new Page("About {$user->text('nickname')}", 'view_user_info', [
            'user' => $user,
            'comments' => Users::comments($visit->database, $id),
        ]);
    }
}
