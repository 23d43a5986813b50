<?php

declare(strict_types=1);

use Auction\Item;

use function Common\e;
use function Common\instant;

/**
 * @var Item $item
 * @var string $seller
 */
?>
<dl>
<div><dt>Current price</dt><dd class="price"><?= e($item->price()) ?></dd></div>
<div><dt>First price</dt><dd><?= e($item->initialPrice()) ?></dd></div>
<div><dt>Bids</dt><dd><?= e($item->numberOfBids()) ?></dd></div>
<div><dt>Quantity</dt><dd><?= e($item->quantity()) ?></dd></div>
<div><dt>Seller</dt><dd><?= e($seller) ?></dd></div>
<div><dt>Started</dt><dd><?= instant($item->startDate()) ?></dd></div>
<div><dt>Ends</dt><dd><?= instant($item->endDate()) ?></dd></div>
</dl>
