<?php

declare(strict_types=1);

namespace Common;

/** One thing that a user does and that yields a page. */
interface Interaction
{
    /** @throws Fault if the request is refused */
    public function answer(Visit $visit): Page;
}
