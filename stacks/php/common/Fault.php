<?php

declare(strict_types=1);

namespace Common;

use Exception;

/** Why a request is refused. Its message is the text of the error page. A refused request has changed nothing. */
final class Fault extends Exception
{
    public function __construct(
        public readonly int $status,
        string $message,
        public readonly ?Link $onward = null,
    ) {
        parent::__construct($message);
    }

    public static function unknownPage(): self
    {
        return new self(404, 'There is no such page.');
    }

    public static function wrongMethod(string $right): self
    {
        return new self(405, "This page is for {$right} requests only.");
    }

    public static function parameter(string $name): self
    {
        return new self(400, "The parameter {$name} is missing, repeated or malformed.");
    }

    public static function unknown(string $what, int $id): self
    {
        return new self(404, "There is no {$what} {$id}.");
    }

    /** For everything that is our fault. What it was is in the log, and none of the visitor's business. */
    public static function internal(): self
    {
        return new self(500, 'Something went wrong here. Please try again later.');
    }

    /** Title and heading of the error page. */
    public function heading(): string
    {
        return match ($this->status) {
            400 => 'Bad request',
            403 => 'Access denied',
            404 => 'Not found',
            405 => 'Wrong method',
            409 => 'Refused',
            504 => 'No answer',
            default => 'Internal error',
        };
    }
}
