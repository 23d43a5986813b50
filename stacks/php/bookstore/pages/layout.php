<?php

declare(strict_types=1);

use Bookstore\State;

use function Common\e;

/**
 * @var string $title
 * @var string $content
 * @var State|null $state
 * @var bool|null $hasCartButton
 */
// An error's page knows of no visitor.
$shown = $state ?? new State();
$query = $shown->query();
?>
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title><?= e($title) ?> – Bookstore</title>
<link rel="icon" href="/bookstore/logo.svg" type="image/svg+xml">
<link rel="stylesheet" href="/bookstore/style.css">
</head>
<body>
<header>
<img src="/bookstore/logo.svg" alt="Bookstore" width="32" height="32">
<nav aria-label="Main">
<ul>
<li><a href="/bookstore/Home<?= e($query) ?>">Home</a></li>
<li><a href="/bookstore/SearchRequest<?= e($query) ?>">Search</a></li>
<li><a href="/bookstore/OrderInquiry<?= e($query) ?>">Your orders</a></li>
</ul>
</nav>
<?php if ($hasCartButton ?? true): ?>
<form class="cart" action="/bookstore/ShoppingCart" method="post">
<?php $state = $shown ?>
<?php require __DIR__ . '/state.php' ?>
<input type="hidden" name="ADD_FLAG" value="N">
<button type="submit"><img src="/bookstore/cart.svg" alt="" width="20" height="20"> Cart</button>
</form>
<?php endif ?>
</header>
<main>
<?= $content ?>
</main>
<footer>
<p>The bookstore of tierbench, after TPC-W.</p>
</footer>
</body>
</html>
