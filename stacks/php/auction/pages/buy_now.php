<?php

declare(strict_types=1);

use Auction\Item;

use function Common\e;

/**
 * @var Item $item
 * @var string $seller
 * @var string $token
 */
?>
<h1><img src="/auction/buy.svg" alt="" width="40" height="40"> Buy <?= e($item->name()) ?> now</h1>
<?php require __DIR__ . '/item.php' ?>
<form action="/auction/StoreBuyNow" method="post">
<input type="hidden" name="itemId" value="<?= e($item->id) ?>">
<input type="hidden" name="token" value="<?= e($token) ?>">
<p><label for="qty">Quantity</label> <input id="qty" name="qty" type="number" min="1" max="<?= e($item->quantity()) ?>" value="1" required></p>
<p><button type="submit">Buy now</button></p>
</form>
<h2>Description</h2>
<p class="text"><?= e($item->description()) ?></p>
<p><a href="/auction/ViewItem?itemId=<?= e($item->id) ?>">Back to the item</a></p>
