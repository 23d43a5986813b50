<?php

declare(strict_types=1);

use Bookstore\Card;
use Bookstore\CartLine;
use Bookstore\Shipping;
use Bookstore\Totals;
use Common\Row;

use function Common\e;

/**
 * @var Row $customer
 * @var ?int $registered
 * @var list<CartLine> $lines
 * @var Totals $totals
 * @var string $token
 */
?>
<?php $name = $customer->text('c_fname') . ' ' . $customer->text('c_lname') ?>
<h1>Checkout</h1>
<?php if ($registered !== null): ?>
<p>Welcome, <?= e($name) ?>: you are <data class="acknowledged" value="<?= e($registered) ?>">customer <?= e($registered) ?></data>.</p>
<?php else: ?>
<p>Welcome back, <data class="acknowledged" value="0"><?= e($name) ?></data>.</p>
<?php endif ?>
<table class="lines">
<caption>Your order, with your discount of <?= e($customer->int('c_discount')) ?> %</caption>
<thead>
<tr><th scope="col">Title</th><th scope="col" class="number">Price</th><th scope="col" class="number">Quantity</th><th scope="col" class="number">Amount</th></tr>
</thead>
<tbody>
<?php foreach ($lines as $line): ?>
<tr>
<th scope="row"><?= e($line->title) ?></th>
<td class="number"><?= e($line->price) ?></td>
<td class="number"><?= e($line->quantity) ?></td>
<td class="number"><?= e($line->amount()) ?></td>
</tr>
<?php endforeach ?>
</tbody>
</table>
<dl>
<div><dt>Books</dt><dd><?= e($totals->subTotal) ?></dd></div>
<div><dt>Tax</dt><dd><?= e($totals->tax) ?></dd></div>
<div><dt>Shipping</dt><dd><?= e($totals->shipping) ?></dd></div>
<div><dt>Total</dt><dd class="price"><?= e($totals->total) ?></dd></div>
</dl>
<h2>Your address</h2>
<p><?= e($name) ?>, <?= e($customer->text('c_email')) ?></p>
<?php $address = $customer ?>
<?php require __DIR__ . '/address.php' ?>
<h2>Payment</h2>
<form action="/bookstore/BuyConfirm" method="post">
<input type="hidden" name="token" value="<?= e($token) ?>">
<?php require __DIR__ . '/cart_field.php' ?>
<p><label for="CC_TYPE">Card</label> <select id="CC_TYPE" name="CC_TYPE">
<?php foreach (Card::TYPES as $type): ?>
<option><?= e($type) ?></option>
<?php endforeach ?>
</select></p>
<p><label for="CC_NUMBER">Number of the card</label> <input id="CC_NUMBER" name="CC_NUMBER" inputmode="numeric" maxlength="16" pattern="[0-9]{13,16}" autocomplete="cc-number" required></p>
<p><label for="CC_NAME">Name on the card</label> <input id="CC_NAME" name="CC_NAME" maxlength="30" autocomplete="cc-name" required></p>
<p><label for="CC_EXPIRY">Expires</label> <input id="CC_EXPIRY" name="CC_EXPIRY" type="month" maxlength="7" pattern="20[0-9]{2}-[0-9]{2}" autocomplete="cc-exp" required></p>
<p><label for="SHIPPING">Shipping</label> <select id="SHIPPING" name="SHIPPING">
<?php foreach (Shipping::names() as $way): ?>
<option><?= e($way) ?></option>
<?php endforeach ?>
</select></p>
<fieldset>
<legend>Send it to another address</legend>
<?php $required = '' ?>
<?php require __DIR__ . '/address_fields.php' ?>
</fieldset>
<p><button type="submit">Order and pay <?= e($totals->total) ?></button></p>
</form>
