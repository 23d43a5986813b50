<?php

declare(strict_types=1);

namespace Bookstore;

/** What books are about. */
final class Subject
{
    public const ALL = [
        'ARTS',
        'BIOGRAPHIES',
        'BUSINESS',
        'CHILDREN',
        'COMPUTERS',
        'COOKING',
        'HEALTH',
        'HISTORY',
        'HOME',
        'HUMOR',
        'LITERATURE',
        'MYSTERY',
        'NON-FICTION',
        'PARENTING',
        'POLITICS',
        'REFERENCE',
        'RELIGION',
        'ROMANCE',
        'SELF-HELP',
        'SCIENCE-NATURE',
        'SCIENCE-FICTION',
        'SPORTS',
        'YOUTH',
        'TRAVEL',
    ];
}
