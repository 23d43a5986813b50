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
<dt>Current price</dt><dd><?= e($item->price()) ?></dd>
<dt>First price</dt><dd><?= e($item->initialPrice()) ?></dd>
<dt>Bids</dt><dd><?= e($item->numberOfBids()) ?></dd>
<dt>Quantity</dt><dd><?= e($item->quantity()) ?></dd>
<dt>Seller</dt><dd><?= e($seller) ?></dd>
<dt>Started</dt><dd><?= instant($item->startDate()) ?></dd>
<dt>Ends</dt><dd><?= instant($item->endDate()) ?></dd>
</dl>
