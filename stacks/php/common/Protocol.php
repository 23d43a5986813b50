<?php

declare(strict_types=1);

namespace Common;

/** How statements travel to the database. Rows come back the same whatever is chosen. */
enum Protocol: string
{
    case Prepared = 'prepared';
    case Text = 'text';
}
