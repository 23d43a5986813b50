<?php

declare(strict_types=1);

use Bookstore\State;

use function Common\e;

/** @var State $state */
?>
<?php if ($state->sealed !== null): ?>
<input type="hidden" name="<?= State::CART ?>" value="<?= e($state->sealed) ?>">
<?php endif ?>
