<?php

declare(strict_types=1);

use function Common\e;

/**
 * @var string $title
 * @var string $action
 * @var array<string, int> $hidden
 * @var int $item
 */
?>
<h1><?= e($title) ?></h1>
<form action="<?= e($action) ?>" method="post">
<?php foreach ($hidden as $name => $id): ?>
<input type="hidden" name="<?= e($name) ?>" value="<?= e($id) ?>">
<?php endforeach ?>
<p><label for="nickname">Nickname</label> <input id="nickname" name="nickname" type="text" maxlength="20" autocomplete="username" required></p>
<p><label for="password">Password</label> <input id="password" name="password" type="password" maxlength="20" autocomplete="current-password" required></p>
<p><button type="submit">Log in</button></p>
</form>
<p><a href="/auction/ViewItem?itemId=<?= e($item) ?>">Back to the item</a></p>
