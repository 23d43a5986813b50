<?php

declare(strict_types=1);

namespace Common;

/** All that an interaction works with. */
final readonly class Visit
{
    public function __construct(
        public Form $form,
        public Database $database,
        public TokenKey $tokenKey,
    ) {}
}
