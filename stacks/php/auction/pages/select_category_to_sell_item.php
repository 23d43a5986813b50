<?php

declare(strict_types=1);

use Common\Row;

use function Common\e;

/**
 * @var list<Row> $categories
 * @var string $token
 */
?>
<h1>Choose a category</h1>
<form action="/auction/SellItemForm" method="post">
<input type="hidden" name="token" value="<?= e($token) ?>">
<p><label for="category">Category of what you sell</label> <select id="category" name="category" required>
<?php foreach ($categories as $category): ?>
<option value="<?= e($category->int('id')) ?>"><?= e($category->text('name')) ?></option>
<?php endforeach ?>
</select></p>
<p><button type="submit">Next</button></p>
</form>
