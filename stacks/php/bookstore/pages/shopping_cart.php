<?php

declare(strict_types=1);

use Bookstore\CartLine;
use Bookstore\ChangedCart;
use Bookstore\State;
use Common\Money;

use function Common\e;

/**
 * @var State $state
 * @var ChangedCart $cart
 * @var list<CartLine> $lines
 * @var Money $subTotal
 */
?>
<h1>Your cart</h1>
<?php if ($cart->isNew): ?>
<p>We have begun <data class="acknowledged" value="<?= e($cart->id) ?>">cart <?= e($cart->id) ?></data> for you.</p>
<?php else: ?>
<p>This is <data class="acknowledged" value="0">cart <?= e($cart->id) ?></data>.</p>
<?php endif ?>
<?php if ($cart->wasEmpty): ?>
<p>There was nothing in it, so we have put in a book that you may like.</p>
<?php endif ?>
<form action="/bookstore/ShoppingCart" method="post">
<?php require __DIR__ . '/state.php' ?>
<input type="hidden" name="ADD_FLAG" value="N">
<table class="lines">
<caption>The books in your cart</caption>
<thead>
<tr><th scope="col">Title</th><th scope="col" class="number">Price</th><th scope="col" class="number">Suggested price</th><th scope="col">Quantity</th><th scope="col" class="number">Amount</th></tr>
</thead>
<tbody>
<?php foreach ($lines as $index => $line): ?>
<?php $number = $index + 1 ?>
<tr>
<th scope="row"><a href="/bookstore/ProductDetail?I_ID=<?= e($line->item . $state->more()) ?>"><img src="/bookstore/<?= e($line->row->text('i_thumbnail')) ?>" alt="" width="40" height="60"> <?= e($line->title) ?></a> <?= e($line->row->text('i_backing')) ?></th>
<td class="number"><?= e($line->price) ?></td>
<td class="number"><?= e($line->row->money('i_srp')) ?></td>
<td><input type="hidden" name="I_ID_<?= $number ?>" value="<?= e($line->item) ?>"><label for="quantity<?= $number ?>">Quantity</label> <input id="quantity<?= $number ?>" name="QTY_<?= $number ?>" type="number" min="0" max="99" value="<?= e($line->quantity) ?>" required></td>
<td class="number"><?= e($line->amount()) ?></td>
</tr>
<?php endforeach ?>
</tbody>
<tfoot>
<tr><th scope="row" colspan="4">Before discount, tax and shipping</th><td class="number"><?= e($subTotal) ?></td></tr>
</tfoot>
</table>
<p><button type="submit">Change the quantities</button></p>
</form>
<p><a class="button" href="/bookstore/CustomerRegistration<?= e($state->query()) ?>">Go to checkout</a></p>
<?php require __DIR__ . '/promoted.php' ?>
