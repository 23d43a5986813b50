<?php

declare(strict_types=1);

use Auction\Bid;
use Common\Money;

use function Common\e;

/**
 * @var int $id
 * @var Bid $bid
 * @var bool $leads
 * @var Money $price
 */
?>
<h1><img src="/auction/bid.svg" alt="" width="40" height="40"> Your bid is placed</h1>
<p>We have recorded <data class="acknowledged" value="<?= e($id) ?>">bid <?= e($id) ?></data>.</p>
<?php if ($leads): ?>
<p>You are the highest bidder at <?= e($price) ?>.</p>
<?php else: ?>
<p>You have been outbid: the price is now <?= e($price) ?>.</p>
<?php endif ?>
<dl>
<div><dt>Bid</dt><dd class="price"><?= e($bid->amount) ?></dd></div>
<div><dt>The most you would bid</dt><dd><?= e($bid->most) ?></dd></div>
<div><dt>Quantity</dt><dd><?= e($bid->quantity) ?></dd></div>
</dl>
<ul>
<li><a class="button" href="/auction/ViewItem?itemId=<?= e($bid->item) ?>">Back to the item</a></li>
<li><a href="/auction/browse.html">Browse the items for sale</a></li>
</ul>
