<?php

declare(strict_types=1);

use Common\Row;

use function Common\e;

/**
 * @var Row $book
 * @var list<Row> $related
 */
?>
<h1>Change <?= e($book->text('i_title')) ?></h1>
<p>by <?= e($book->text('a_fname')) ?> <?= e($book->text('a_lname')) ?>; it costs <?= e($book->money('i_cost')) ?>, where <?= e($book->money('i_srp')) ?> is suggested.</p>
<p><img src="/bookstore/<?= e($book->text('i_image')) ?>" alt="The image" width="120" height="180"> <img src="/bookstore/<?= e($book->text('i_thumbnail')) ?>" alt="The thumbnail" width="80" height="120"></p>
<form action="/bookstore/AdminConfirm" method="post">
<?php require __DIR__ . '/state.php' ?>
<input type="hidden" name="I_ID" value="<?= e($book->int('i_id')) ?>">
<p><label for="I_NEW_COST">New price</label> <input id="I_NEW_COST" name="I_NEW_COST" type="number" min="0.01" max="<?= e($book->money('i_srp')) ?>" step="0.01" value="<?= e($book->money('i_cost')) ?>" required></p>
<p><label for="I_NEW_IMAGE">New image</label> <select id="I_NEW_IMAGE" name="I_NEW_IMAGE">
<option value="<?= e($book->text('i_image')) ?>">As it is</option>
<?php foreach ($related as $other): ?>
<option value="<?= e($other->text('i_image')) ?>">That of <?= e($other->text('i_title')) ?></option>
<?php endforeach ?>
</select></p>
<p><label for="I_NEW_THUMBNAIL">New thumbnail</label> <select id="I_NEW_THUMBNAIL" name="I_NEW_THUMBNAIL">
<option value="<?= e($book->text('i_thumbnail')) ?>">As it is</option>
<?php foreach ($related as $other): ?>
<option value="<?= e($other->text('i_thumbnail')) ?>">That of <?= e($other->text('i_title')) ?></option>
<?php endforeach ?>
</select></p>
<p><button type="submit">Change the book</button></p>
</form>
