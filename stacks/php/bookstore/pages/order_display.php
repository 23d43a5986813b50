<?php

declare(strict_types=1);

use Bookstore\State;
use Common\Row;

use function Common\e;
use function Common\instant;

/**
 * @var State $state
 * @var Row $order
 * @var array<string, Row> $addresses
 * @var list<Row> $lines
 */
?>
<?php $shipping = $order->money('o_total')->minus($order->money('o_tax'))->minus($order->money('o_sub_total')) ?>
<h1>Order <?= e($order->int('o_id')) ?></h1>
<dl>
<div><dt>Ordered</dt><dd><?= instant($order->text('o_date')) ?></dd></div>
<div><dt>Status</dt><dd><?= e($order->text('o_status')) ?></dd></div>
<div><dt>Sent by <?= e($order->text('o_ship_type')) ?></dt><dd><?= instant($order->text('o_ship_date')) ?></dd></div>
<div><dt>Paid with</dt><dd><?= e($order->text('cx_type')) ?> <?= e($order->text('cx_num')) ?> of <?= e($order->text('cx_name')) ?>, authorised as <?= e($order->text('cx_auth_id')) ?></dd></div>
<div><dt>Books</dt><dd><?= e($order->money('o_sub_total')) ?></dd></div>
<div><dt>Tax</dt><dd><?= e($order->money('o_tax')) ?></dd></div>
<div><dt>Shipping</dt><dd><?= e($shipping) ?></dd></div>
<div><dt>Total</dt><dd class="price"><?= e($order->money('o_total')) ?></dd></div>
</dl>
<?php foreach ($addresses as $heading => $address): ?>
<h2><?= e($heading) ?></h2>
<?php require __DIR__ . '/address.php' ?>
<?php endforeach ?>
<table class="lines">
<caption>The books that you ordered</caption>
<thead>
<tr><th scope="col">Title</th><th scope="col" class="number">Price</th><th scope="col" class="number">Discount</th><th scope="col" class="number">Quantity</th><th scope="col">Comment</th></tr>
</thead>
<tbody>
<?php foreach ($lines as $line): ?>
<tr>
<th scope="row"><a href="/bookstore/ProductDetail?I_ID=<?= e($line->int('ol_i_id') . $state->more()) ?>"><?= e($line->text('i_title')) ?></a></th>
<td class="number"><?= e($line->money('ol_price')) ?></td>
<td class="number"><?= e($line->int('ol_discount')) ?> %</td>
<td class="number"><?= e($line->int('ol_qty')) ?></td>
<td><?= e($line->text('ol_comments')) ?></td>
</tr>
<?php endforeach ?>
</tbody>
</table>
