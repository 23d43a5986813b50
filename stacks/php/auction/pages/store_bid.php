<?php

declare(strict_types=1);

use Auction\Offer;

use function Common\e;

/**
 * @var int $id
 * @var Offer $offer
 */
?>
<h1>Your bid is placed</h1>
<p>We have recorded <data class="acknowledged" value="<?= e($id) ?>">bid <?= e($id) ?></data>.</p>
<dl>
<div><dt>Bid</dt><dd class="price"><?= e($offer->bid) ?></dd></div>
<div><dt>The most you would bid</dt><dd><?= e($offer->maxBid) ?></dd></div>
<div><dt>Quantity</dt><dd><?= e($offer->quantity) ?></dd></div>
</dl>
<ul>
<li><a class="button" href="/auction/ViewItem?itemId=<?= e($offer->item) ?>">Back to the item</a></li>
<li><a href="/auction/browse.html">Browse the items for sale</a></li>
</ul>
