<?php

declare(strict_types=1);

use Auction\NewItem;
use Common\Row;

use function Common\e;
use function Common\instant;

/**
 * @var int $id
 * @var NewItem $new
 * @var string $category
 * @var Row $dates
 */
?>
<h1>Your auction has begun</h1>
<p>We have recorded <data class="acknowledged" value="<?= e($id) ?>">item <?= e($id) ?></data> and taken the fee of <?= e(NewItem::FEE) ?> from your balance.</p>
<dl>
<div><dt>Name</dt><dd><?= e($new->name) ?></dd></div>
<div><dt>Category</dt><dd><?= e($category) ?></dd></div>
<div><dt>First price</dt><dd><?= e($new->initialPrice) ?></dd></div>
<div><dt>Reserve price</dt><dd><?= e($new->reservePrice) ?></dd></div>
<div><dt>To buy at once</dt><dd><?= e($new->buyNow) ?></dd></div>
<div><dt>Quantity</dt><dd><?= e($new->quantity) ?></dd></div>
<div><dt>Started</dt><dd><?= instant($dates->text('start_date')) ?></dd></div>
<div><dt>Ends</dt><dd><?= instant($dates->text('end_date')) ?></dd></div>
</dl>
<h2>Description</h2>
<p class="text"><?= e($new->description) ?></p>
<ul>
<li><a class="button" href="/auction/ViewItem?itemId=<?= e($id) ?>">View the item</a></li>
<li><a href="/auction/sell.html">Sell another item</a></li>
<li><a href="/auction/browse.html">Browse the items for sale</a></li>
</ul>
