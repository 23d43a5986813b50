<?php

declare(strict_types=1);

use Common\Fault;

use function Common\e;

/** @var Fault $fault */
?>
<h1><?= e($fault->heading()) ?></h1>
<p><?= e($fault->getMessage()) ?></p>
<?php if ($fault->onward !== null): ?>
<p><a class="button" href="<?= e($fault->onward->href) ?>"><?= e($fault->onward->text) ?></a></p>
<?php endif ?>
