<?php

declare(strict_types=1);

namespace Comments\Interactions;

use Common\Interaction;
use Common\Page;
use Common\Visit;

/** Records a comment. */
final readonly class StoreComment implements Interaction
{
    public function answer(Visit $visit): Page
    {
        $name = $visit->form->text('name', 50);
        $email = $visit->form->email('email', 80);
        $comment = $visit->form->text('comment', 2048);
        $id = $visit->database->insert(
            'INSERT INTO comments (name, email, comment) VALUES (?, ?, ?)',
            $name,
            $email,
            $comment,
        );
        return new Page('Your comment is published', 'store_comment', [
            'id' => $id,
            'name' => $name,
            'comment' => $comment,
        ]);
    }
}
