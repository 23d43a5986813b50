<?php

declare(strict_types=1);

use Common\Row;

use function Common\e;

/** @var Row $address */
?>
<address><?= e($address->text('addr_street1')) ?><br>
<?php if ($address->text('addr_street2') !== ''): ?>
<?= e($address->text('addr_street2')) ?><br>
<?php endif ?>
<?= e($address->text('addr_zip')) ?> <?= e($address->text('addr_city')) ?><br>
<?= e($address->text('addr_state')) ?><br>
<?= e($address->text('co_name')) ?></address>
