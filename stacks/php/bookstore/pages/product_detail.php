<?php

declare(strict_types=1);

use Bookstore\State;
use Common\Row;

use function Common\day;
use function Common\e;

/**
 * @var State $state
 * @var Row $book
 * @var list<Row> $related
 */
?>
<article>
<img class="cover" src="/bookstore/<?= e($book->text('i_image')) ?>" alt="The cover" width="240" height="360">
<div>
<h1><?= e($book->text('i_title')) ?></h1>
<p>by <?= e($book->text('a_fname')) ?> <?= e($book->text('a_mname')) ?> <?= e($book->text('a_lname')) ?></p>
<p class="price"><?= e($book->money('i_cost')) ?> <s><?= e($book->money('i_srp')) ?></s></p>
<form action="/bookstore/ShoppingCart" method="post">
<?php require __DIR__ . '/state.php' ?>
<input type="hidden" name="ADD_FLAG" value="Y">
<input type="hidden" name="I_ID" value="<?= e($book->int('i_id')) ?>">
<p><button type="submit"><img src="/bookstore/cart.svg" alt="" width="20" height="20"> Add to the cart</button></p>
</form>
<p><?= e($book->int('i_stock')) ?> in stock, available since <?= day($book->text('i_avail')) ?></p>
<h2>About the book</h2>
<p><?= e($book->text('i_desc')) ?></p>
<h2>About the author</h2>
<p><?= e($book->text('a_bio')) ?></p>
<dl>
<div><dt>Subject</dt><dd><a href="/bookstore/BestSellers?SUBJECT=<?= e($book->text('i_subject') . $state->more()) ?>"><?= e($book->text('i_subject')) ?></a></dd></div>
<div><dt>Binding</dt><dd><?= e($book->text('i_backing')) ?></dd></div>
<div><dt>Pages</dt><dd><?= e($book->int('i_page')) ?></dd></div>
<div><dt>Size</dt><dd><?= e($book->text('i_dimensions')) ?></dd></div>
<div><dt>Publisher</dt><dd><?= e($book->text('i_publisher')) ?></dd></div>
<div><dt>Published</dt><dd><?= day($book->text('i_pub_date')) ?></dd></div>
<div><dt>ISBN</dt><dd><?= e($book->text('i_isbn')) ?></dd></div>
</dl>
<p><a href="/bookstore/AdminRequest?I_ID=<?= e($book->int('i_id') . $state->more()) ?>">Change this book</a></p>
</div>
</article>
<h2>Others bought with it</h2>
<?php $covers = $related ?>
<?php require __DIR__ . '/covers.php' ?>
