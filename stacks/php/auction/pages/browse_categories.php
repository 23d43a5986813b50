<?php

declare(strict_types=1);

use Common\Row;

use function Common\e;

/** @var list<Row> $categories */
?>
<h1>Categories</h1>
<ul class="columns">
<?php foreach ($categories as $category): ?>
<li><a href="/auction/SearchItemsInCategory?category=<?= e($category->int(
    'id',
)) ?>&amp;page=0&amp;nbOfItems=20"><?= e($category->text('name')) ?></a></li>
<?php endforeach ?>
</ul>
