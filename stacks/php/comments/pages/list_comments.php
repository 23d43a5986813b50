<?php

declare(strict_types=1);

use Common\Row;

use function Common\e;

/** @var list<Row> $comments */
?>
<h1>Comments</h1>
<?php if ($comments === []): ?>
<p>There are no comments.</p>
<?php else: ?>
<table>
<caption>All comments, the oldest first</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Email address</th><th scope="col">Comment</th></tr></thead>
<tbody>
<?php foreach ($comments as $comment): ?>
<tr><th scope="row"><?= e($comment->text('name')) ?></th><td><?= e($comment->text('email')) ?></td><td class="text"><?= e($comment->text('comment')) ?></td></tr>
<?php endforeach ?>
</tbody>
</table>
<?php endif ?>
