<?php

declare(strict_types=1);

use Bookstore\State;
use Bookstore\Subject;
use Common\Row;

use function Common\e;

/**
 * @var State $state
 * @var ?Row $customer
 */
?>
<?php $greeting = $customer === null
    ? 'Welcome to the bookstore'
    : "Welcome back, {$customer->text('c_fname')} {$customer->text('c_lname')}" ?>
<h1><?= e($greeting) ?></h1>
<?php require __DIR__ . '/promoted.php' ?>
<h2>Books by subject</h2>
<ul class="subjects">
<?php foreach (Subject::ALL as $subject): ?>
<li><span><?= e($subject) ?></span> <a href="/bookstore/NewProducts?SUBJECT=<?= e($subject . $state->more()) ?>" aria-label="New books: <?= e($subject) ?>">New</a> <a href="/bookstore/BestSellers?SUBJECT=<?= e($subject . $state->more()) ?>" aria-label="Best sellers: <?= e($subject) ?>">Best sellers</a></li>
<?php endforeach ?>
</ul>
