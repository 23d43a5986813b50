<?php

declare(strict_types=1);

use Bookstore\State;
use Common\Row;

use function Common\day;
use function Common\e;

/**
 * @var State $state
 * @var string $title
 * @var string $caption
 * @var string $figure
 * @var list<Row> $books
 */
?>
<h1><?= e($title) ?></h1>
<?php if ($books === []): ?>
<p>There are no such books.</p>
<?php else: ?>
<table class="books">
<caption><?= e($caption) ?></caption>
<thead>
<tr><th scope="col">Title</th><th scope="col">Author</th><th scope="col" class="number"><?= e($figure) ?></th></tr>
</thead>
<tbody>
<?php foreach ($books as $book): ?>
<tr>
<th scope="row"><a href="/bookstore/ProductDetail?I_ID=<?= e($book->int('i_id') . $state->more()) ?>"><?= e($book->text('i_title')) ?></a></th>
<td><?= e($book->text('a_fname')) ?> <?= e($book->text('a_lname')) ?></td>
<td class="number"><?= $figure === 'Published' ? day($book->text('i_pub_date')) : e($book->int('sold')) ?></td>
</tr>
<?php endforeach ?>
</tbody>
</table>
<?php endif ?>
<?php require __DIR__ . '/promoted.php' ?>
