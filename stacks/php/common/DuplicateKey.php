<?php

declare(strict_types=1);

namespace Common;

use RuntimeException;

/** A row was not inserted, because a unique key has its value already. */
final class DuplicateKey extends RuntimeException {}
