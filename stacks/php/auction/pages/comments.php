<?php

declare(strict_types=1);

use Common\Row;

use function Common\e;
use function Common\instant;

/** @var list<Row> $comments */
?>
<?php if ($comments === []): ?>
<p>There are no comments.</p>
<?php else: ?>
<ol class="comments">
<?php foreach ($comments as $comment): ?>
<li>
<p>Rating <?= e($comment->int('rating')) ?> by <a href="/auction/ViewUserInfo?userId=<?= e($comment->int('from_user_id')) ?>"><?= e($comment->text('nickname')) ?></a> for <a href="/auction/ViewItem?itemId=<?= e($comment->int('item_id')) ?>">item <?= e($comment->int('item_id')) ?></a>, <?= instant($comment->text('date')) ?></p>
<p class="text"><?= e($comment->text('comment')) ?></p>
</li>
<?php endforeach ?>
</ol>
<?php endif ?>
