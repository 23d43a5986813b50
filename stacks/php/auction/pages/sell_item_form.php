<?php

declare(strict_types=1);

use Auction\NewItem;

use function Common\e;

/**
 * @var int $category
 * @var string $name
 * @var string $token
 */
?>
<h1>Sell an item in <?= e($name) ?></h1>
<form action="/auction/RegisterItem" method="post">
<input type="hidden" name="token" value="<?= e($token) ?>">
<input type="hidden" name="category" value="<?= e($category) ?>">
<p><label for="name">Name</label> <input id="name" name="name" type="text" maxlength="100" required></p>
<p><label for="description">Description</label> <textarea id="description" name="description" rows="8" maxlength="8192" required></textarea></p>
<p><label for="initialPrice">First price</label> <input id="initialPrice" name="initialPrice" type="number" min="0.01" step="0.01" required></p>
<p><label for="reservePrice">Reserve price (0 to sell at any price)</label> <input id="reservePrice" name="reservePrice" type="number" min="0.00" step="0.01" value="0.00" required></p>
<p><label for="buyNow">Price to buy at once (0 for none)</label> <input id="buyNow" name="buyNow" type="number" min="0.00" step="0.01" value="0.00" required></p>
<p><label for="quantity">Quantity</label> <input id="quantity" name="quantity" type="number" min="1" max="10" value="1" required></p>
<p><label for="duration">Duration in days</label> <input id="duration" name="duration" type="number" min="1" max="7" value="7" required></p>
<p><button type="submit">Sell</button></p>
</form>
<p>Each auction costs a fee of <?= e(NewItem::FEE) ?>.</p>
