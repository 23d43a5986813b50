<?php

declare(strict_types=1);

namespace Common;

/** Text as HTML, safe between tags and in quoted attributes. */
function e(int|string|Money $text): string
{
    return htmlspecialchars((string) $text, ENT_QUOTES | ENT_SUBSTITUTE | ENT_HTML5, 'UTF-8');
}

/** An instant, given as the database writes it (in UTC), for people and programs. */
function instant(string $written): string
{
    return '<time datetime="' . e(strtr($written, ' ', 'T')) . 'Z">' . e($written) . '</time>';
}

/** The day of an instant, given as the database writes it. */
function day(string $written): string
{
    return e(substr($written, 0, 10));
}
