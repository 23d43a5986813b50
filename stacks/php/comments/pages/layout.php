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
<title><?= e($title) ?> – Comments</title>
<link rel="icon" href="/comments/logo.svg" type="image/svg+xml">
<link rel="stylesheet" href="/comments/style.css">
</head>
<body>
<header>
<img src="/comments/logo.svg" alt="Comments" width="32" height="32">
<nav aria-label="Main">
<ul>
<li><a href="/comments/index.html">Write a comment</a></li>
<li><a href="/comments/ListComments">Read the comments</a></li>
</ul>
</nav>
</header>
<main>
<?= $content ?>
</main>
<footer>
<p>The comment page of tierbench, after Gousios and Spinellis.</p>
</footer>
</body>
</html>
