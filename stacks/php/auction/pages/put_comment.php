<?php

declare(strict_types=1);

use Auction\Item;

use function Common\e;

/**
 * @var Item $item
 * @var string $seller
 * @var string $token
 */
?>
<h1>Rate <?= e($seller) ?></h1>
<p>This is about <a href="/auction/ViewUserInfo?userId=<?= e($item->seller()) ?>"><?= e($seller) ?></a> and the item <a href="/auction/ViewItem?itemId=<?= e($item->id) ?>"><?= e($item->name()) ?></a>.</p>
<form action="/auction/StoreComment" method="post">
<input type="hidden" name="itemId" value="<?= e($item->id) ?>">
<input type="hidden" name="to" value="<?= e($item->seller()) ?>">
<input type="hidden" name="token" value="<?= e($token) ?>">
<p><label for="rating">Rating</label> <select id="rating" name="rating" required>
<option value="5">5: excellent</option>
<option value="3">3: good</option>
<option value="0" selected>0: neither good nor bad</option>
<option value="-3">-3: poor</option>
<option value="-5">-5: bad</option>
</select></p>
<p><label for="comment">Comment</label> <textarea id="comment" name="comment" rows="6" maxlength="2048" required></textarea></p>
<p><button type="submit">Publish</button></p>
</form>
