<?php

declare(strict_types=1);

use Auction\Comment;
use Auction\Item;

use function Common\e;

/**
 * @var int $id
 * @var Comment $comment
 * @var Item $item
 */
?>
<h1>Your comment is published</h1>
<p>We have recorded <data class="acknowledged" value="<?= e($id) ?>">comment <?= e($id) ?></data>.</p>
<dl>
<div><dt>Item</dt><dd><?= e($item->name()) ?></dd></div>
<div><dt>Rating</dt><dd><?= e($comment->rating) ?></dd></div>
</dl>
<p class="text"><?= e($comment->text) ?></p>
<ul>
<li><a class="button" href="/auction/ViewItem?itemId=<?= e($item->id) ?>">Back to the item</a></li>
<li><a href="/auction/ViewUserInfo?userId=<?= e($comment->to) ?>">About the seller</a></li>
<li><a href="/auction/browse.html">Browse the items for sale</a></li>
</ul>
