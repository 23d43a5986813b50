<?php

declare(strict_types=1);

use function Common\e;

/**
 * @var int $id
 * @var string $name
 * @var string $comment
 */
?>
<h1>Your comment is published</h1>
<p>We have recorded <data class="acknowledged" value="<?= e($id) ?>">comment <?= e($id) ?></data> by <?= e($name) ?>.</p>
<p class="text"><?= e($comment) ?></p>
<p><a class="button" href="/comments/ListComments">Read all comments</a></p>
