<?php

declare(strict_types=1);

use function Common\e;

/** @var int $itemId */
?>
<h1>Log in to bid</h1>
<form action="/auction/PutBid" method="post">
<input type="hidden" name="itemId" value="<?= e($itemId) ?>">
<p><label for="nickname">Nickname</label> <input id="nickname" name="nickname" type="text" maxlength="20" autocomplete="username" required></p>
<p><label for="password">Password</label> <input id="password" name="password" type="password" maxlength="20" autocomplete="current-password" required></p>
<p><button type="submit">Log in</button></p>
</form>
<p><a href="/auction/ViewItem?itemId=<?= e($itemId) ?>">Back to the item</a></p>
