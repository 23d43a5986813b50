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
<dt>Bid</dt><dd><?= e($offer->bid) ?></dd>
<dt>The most you would bid</dt><dd><?= e($offer->maxBid) ?></dd>
<dt>Quantity</dt><dd><?= e($offer->quantity) ?></dd>
</dl>
<ul>
<li><a href="/auction/ViewItem?itemId=<?= e($offer->item) ?>">Back to the item</a></li>
<li><a href="/auction/browse.html">Browse the items for sale</a></li>
</ul>
