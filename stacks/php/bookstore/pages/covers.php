<?php

declare(strict_types=1);

use Bookstore\State;
use Common\Row;

use function Common\e;

/**
 * @var State $state
 * @var list<Row> $covers
 */
?>
<ul class="covers">
<?php foreach ($covers as $cover): ?>
<li><a href="/bookstore/ProductDetail?I_ID=<?= e($cover->int('i_id') . $state->more()) ?>"><img src="/bookstore/<?= e($cover->text('i_thumbnail')) ?>" alt="" width="80" height="120"> <?= e($cover->text('i_title')) ?></a></li>
<?php endforeach ?>
</ul>
