<?php

declare(strict_types=1);

use Auction\Item;

use function Common\e;
use function Common\instant;

/**
 * @var Item $item
 * @var string $seller
 */
$priceAtOnce = $item->isOpen() ? $item->priceAtOnce() : null;
?>
<dl>
<div><dt>Current price</dt><dd class="price"><?= e($item->price()) ?></dd></div>
<?php if ($priceAtOnce !== null): ?>
<div><dt>To buy at once</dt><dd><?= e($priceAtOnce) ?></dd></div>
<?php endif ?>
<div><dt>First price</dt><dd><?= e($item->initialPrice()) ?></dd></div>
<div><dt>Bids</dt><dd><?= e($item->numberOfBids()) ?></dd></div>
<div><dt>Quantity</dt><dd><?= e($item->quantity()) ?></dd></div>
<div><dt>Seller</dt><dd><a href="/auction/ViewUserInfo?userId=<?= e($item->seller()) ?>"><?= e($seller) ?></a></dd></div>
<div><dt>Started</dt><dd><?= instant($item->startDate()) ?></dd></div>
<div><dt>Ends</dt><dd><?= instant($item->endDate()) ?></dd></div>
</dl>
<ul>
<li><a href="/auction/ViewBidHistory?itemId=<?= e($item->id) ?>">All bids on this item</a></li>
<li><a href="/auction/PutCommentAuth?itemId=<?= e($item->id) ?>&amp;to=<?= e($item->seller()) ?>">Rate the seller</a></li>
</ul>
