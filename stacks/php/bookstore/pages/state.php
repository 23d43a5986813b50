<?php

declare(strict_types=1);

use Bookstore\State;

use function Common\e;

/** @var State $state */
?>
<?php foreach ($state->fields() as $name => $value): ?>
<input type="hidden" name="<?= e($name) ?>" value="<?= e($value) ?>">
<?php endforeach ?>
