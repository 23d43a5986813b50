<?php

declare(strict_types=1);

use Common\Link;

use function Common\e;

/**
 * @var string $title
 * @var list<Link> $links
 */
?>
<h1><?= e($title) ?></h1>
<ul class="columns">
<?php foreach ($links as $link): ?>
<li><a href="<?= e($link->href) ?>"><?= e($link->text) ?></a></li>
<?php endforeach ?>
</ul>
