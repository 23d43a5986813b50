<?php

declare(strict_types=1);

use Auction\Item;

use function Common\e;
use function Common\instant;

/**
 * @var string $name
 * @var list<Item> $items
 * @var ?string $previous
 * @var ?string $next
 */
?>
<h1><?= e($name) ?></h1>
<?php if ($items === []): ?>
<p>There are no more items in this category.</p>
<?php else: ?>
<table>
<caption>Items for sale, those that end first on top</caption>
<thead>
<tr><th scope="col">Item</th><th scope="col" class="number">Price</th><th scope="col" class="number">Bids</th><th scope="col">Ends</th><th scope="col">Bid</th></tr>
</thead>
<tbody>
<?php foreach ($items as $item): ?>
<tr>
<th scope="row"><a href="/auction/ViewItem?itemId=<?= e($item->id) ?>"><?= e($item->name()) ?></a></th>
<td class="number"><?= e($item->price()) ?></td>
<td class="number"><?= e($item->numberOfBids()) ?></td>
<td><?= instant($item->endDate()) ?></td>
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
<p><a href="/auction/BrowseCategories">All categories</a></p>
