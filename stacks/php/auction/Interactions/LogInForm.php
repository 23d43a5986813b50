<?php

declare(strict_types=1);

namespace Auction\Interactions;

use Common\Interaction;
use Common\Page;
use Common\Visit;

/** The form with which users log in for what they want to do with an item. It needs no database. */
final readonly class LogInForm implements Interaction
{
    /** @param list<string> $more ids that go along with the item's */
    public function __construct(
        private string $title,
        private string $action,
        private array $more = [],
    ) {}

    public function answer(Visit $visit): Page
    {
        $item = $visit->form->id('itemId');
        $hidden = ['itemId' => $item];
        foreach ($this->more as $name) {
            $hidden[$name] = $visit->form->id($name);
        }
        return new Page($this->title, 'log_in', [
            'title' => $this->title,
            'action' => $this->action,
            'hidden' => $hidden,
            'item' => $item,
        ]);
    }
}
