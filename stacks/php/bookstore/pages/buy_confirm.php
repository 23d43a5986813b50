<?php

declare(strict_types=1);

use Bookstore\Order;
use Bookstore\State;

use function Common\e;

/**
 * @var State $state
 * @var int $number
 * @var Order $order
 * @var string $authorization
 */
?>
<h1>Thank you for your order</h1>
<p>We have recorded <data class="acknowledged" value="<?= e($number) ?>">order <?= e($number) ?></data>, and your bank has authorised the payment as <?= e($authorization) ?>.</p>
<dl>
<div><dt>Books</dt><dd><?= e($order->totals->subTotal) ?></dd></div>
<div><dt>Tax</dt><dd><?= e($order->totals->tax) ?></dd></div>
<div><dt>Shipping</dt><dd><?= e($order->totals->shipping) ?></dd></div>
<div><dt>Total</dt><dd class="price"><?= e($order->totals->total) ?></dd></div>
<div><dt>Sent by</dt><dd><?= e($order->shipping->value) ?></dd></div>
<div><dt>Paid with</dt><dd><?= e($order->card->type . ' ' . $order->card->masked()) ?></dd></div>
</dl>
<p><a class="button" href="/bookstore/SearchRequest<?= e($state->query()) ?>">Look for more books</a></p>
