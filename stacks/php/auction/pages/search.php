<?php

declare(strict_types=1);

use Auction\Item;
use Common\Link;

use function Common\e;
use function Common\instant;

/**
 * @var string $title
 * @var list<Item> $items
 * @var ?string $previous
 * @var ?string $next
 * @var Link $up
 */
?>
<h1><?= e($title) ?></h1>
<?php if ($items === []): ?>
<p>There are no more items here.</p>
<?php else: ?>
<table class="items">
<caption>Items for sale, those that end first on top</caption>
<thead>
<tr><th scope="col">Item</th><th scope="col" class="number">Price</th><th scope="col" class="number">Bids</th><th scope="col">Ends</th><th scope="col">Buy now</th><th scope="col">Bid</th></tr>
</thead>
<tbody>
<?php foreach ($items as $item): ?>
<?php $priceAtOnce = $item->priceAtOnce() ?>
<tr>
<th scope="row"><a href="/auction/ViewItem?itemId=<?= e($item->id) ?>"><?= e($item->name()) ?></a></th>
<td class="number"><?= e($item->price()) ?></td>
<td class="number"><?= e($item->numberOfBids()) ?></td>
<td><?= instant($item->endDate()) ?></td>
<td><?php if ($priceAtOnce !== null): ?><a href="/auction/BuyNowAuth?itemId=<?= e($item->id) ?>" aria-label="Buy <?= e($item->name()) ?> now for <?= e($priceAtOnce) ?>"><?= e($priceAtOnce) ?></a><?php endif ?></td>
<td><a href="/auction/PutBidAuth?itemId=<?= e($item->id) ?>" aria-label="Bid on <?= e($item->name()) ?>">Bid</a></td>
</tr>
<?php endforeach ?>
</tbody>
</table>
<?php endif ?>
<?php if ($previous !== null || $next !== null): ?>
<nav aria-label="Pages">
<ul>
<?php if ($previous !== null): ?>
<li><a rel="prev" href="<?= e($previous) ?>">Previous page</a></li>
<?php endif ?>
<?php if ($next !== null): ?>
<li><a rel="next" href="<?= e($next) ?>">Next page</a></li>
<?php endif ?>
</ul>
</nav>
<?php endif ?>
<p><a href="<?= e($up->href) ?>"><?= e($up->text) ?></a></p>
