<?php

declare(strict_types=1);

use Common\Row;

use function Common\e;
use function Common\instant;

/**
 * @var Row $user
 * @var list<Row> $comments
 */
?>
<h1>About <?= e($user->text('nickname')) ?></h1>
<dl>
<div><dt>Rating</dt><dd class="price"><?= e($user->int('rating')) ?></dd></div>
<div><dt>Registered</dt><dd><?= instant($user->text('creation_date')) ?></dd></div>
</dl>
<h2>Comments</h2>
<?php require __DIR__ . '/comments.php' ?>
