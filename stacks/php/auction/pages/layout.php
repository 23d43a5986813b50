<?php

declare(strict_types=1);

use function Common\e;

/**
 * @var string $title
 * @var string $content HTML
 */
?>
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title><?= e($title) ?> – Auction</title>
<link rel="icon" href="/auction/logo.svg" type="image/svg+xml">
<link rel="stylesheet" href="/auction/style.css">
</head>
<body>
<header>
<img src="/auction/logo.svg" alt="Auction" width="32" height="32">
<nav aria-label="Main">
<ul>
<li><a href="/auction/index.html">Home</a></li>
<li><a href="/auction/browse.html">Browse</a></li>
<li><a href="/auction/sell.html">Sell</a></li>
<li><a href="/auction/about_me.html">About me</a></li>
<li><a href="/auction/register.html">Register</a></li>
</ul>
</nav>
</header>
<main>
<?= $content ?>
</main>
<footer>
<p>The auction of tierbench, after RUBiS.</p>
</footer>
</body>
</html>
