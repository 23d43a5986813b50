<?php

declare(strict_types=1);

use Auction\Item;

use function Common\e;

/**
 * @var Item $item
 * @var string $seller
 */
?>
<h1><?= e($item->name()) ?></h1>
<?php require __DIR__ . '/item.php' ?>
<?php if ($item->isOpen()): ?>
<ul>
<li><a class="button" href="/auction/PutBidAuth?itemId=<?= e($item->id) ?>">Bid on this item</a></li>
<?php if ($item->priceAtOnce() !== null): ?>
<li><a class="button" href="/auction/BuyNowAuth?itemId=<?= e($item->id) ?>">Buy this item now for <?= e($item->buyNow()) ?></a></li>
<?php endif ?>
</ul>
<?php else: ?>
<p>This auction is closed.</p>
<?php endif ?>
<h2>Description</h2>
<p class="text"><?= e($item->description()) ?></p>
<p><a href="/auction/SearchItemsInCategory?category=<?= e($item->category()) ?>&amp;page=0&amp;nbOfItems=20">More items in this category</a></p>
