<?php

declare(strict_types=1);

use Auction\Item;
use Auction\Purchase;

use function Common\e;

/**
 * @var int $id
 * @var Purchase $purchase
 * @var Item $item
 */
?>
<h1><img src="/auction/buy.svg" alt="" width="40" height="40"> You have bought it</h1>
<p>We have recorded <data class="acknowledged" value="<?= e($id) ?>">purchase <?= e($id) ?></data>.</p>
<dl>
<div><dt>Price of one</dt><dd class="price"><?= e($item->buyNow()) ?></dd></div>
<div><dt>Quantity</dt><dd><?= e($purchase->quantity) ?></dd></div>
</dl>
<ul>
<li><a class="button" href="/auction/ViewItem?itemId=<?= e($item->id) ?>">Back to the item</a></li>
<li><a href="/auction/ViewUserInfo?userId=<?= e($item->seller()) ?>">About the seller</a></li>
<li><a href="/auction/browse.html">Browse the items for sale</a></li>
</ul>
