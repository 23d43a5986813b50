<?php

declare(strict_types=1);

use Common\Row;

/** @var list<Row> $promoted */
?>
<aside aria-label="Our choice">
<h2>Our choice for you</h2>
<?php $covers = $promoted ?>
<?php require __DIR__ . '/covers.php' ?>
</aside>
