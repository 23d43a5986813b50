<?php

declare(strict_types=1);

use Auction\Item;

use function Common\e;

/**
 * @var Item $item
 * @var string $seller
 * @var string $token
 */
$least = e($item->leastBid());
?>
<h1><img src="/auction/bid.svg" alt="" width="40" height="40"> Bid on <?= e($item->name()) ?></h1>
<?php require __DIR__ . '/item.php' ?>
<form action="/auction/StoreBid" method="post">
<input type="hidden" name="itemId" value="<?= e($item->id) ?>">
<input type="hidden" name="token" value="<?= e($token) ?>">
<p><label for="bid">Your bid</label> <input id="bid" name="bid" type="number" min="<?= $least ?>" step="0.01" value="<?= $least ?>" required></p>
<p><label for="maxBid">The most you would bid</label> <input id="maxBid" name="maxBid" type="number" min="<?= $least ?>" step="0.01" value="<?= $least ?>" required></p>
<p><label for="qty">Quantity</label> <input id="qty" name="qty" type="number" min="1" max="<?= e($item->quantity()) ?>" value="1" required></p>
<p><button type="submit">Bid</button></p>
</form>
<p>We bid for you, a cent above the others, up to the most you would bid.</p>
<h2>Description</h2>
<p class="text"><?= e($item->description()) ?></p>
<p><a href="/auction/ViewItem?itemId=<?= e($item->id) ?>">Back to the item</a></p>
