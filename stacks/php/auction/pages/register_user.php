<?php

declare(strict_types=1);

use Auction\NewUser;

use function Common\e;
use function Common\instant;

/**
 * @var int $id
 * @var NewUser $new
 * @var string $region
 * @var string $creationDate
 */
?>
<h1>Welcome, <?= e($new->nickname) ?></h1>
<p>Your account has been created: <data class="acknowledged" value="<?= e($id) ?>">user <?= e($id) ?></data>.</p>
<dl>
<div><dt>Name</dt><dd><?= e($new->firstname) ?> <?= e($new->lastname) ?></dd></div>
<div><dt>Email address</dt><dd><?= e($new->email) ?></dd></div>
<div><dt>Region</dt><dd><?= e($region) ?></dd></div>
<div><dt>Rating</dt><dd>0</dd></div>
<div><dt>Balance</dt><dd>0.00</dd></div>
<div><dt>Registered</dt><dd><?= instant($creationDate) ?></dd></div>
</dl>
<ul>
<li><a class="button" href="/auction/browse.html">Browse the items for sale</a></li>
<li><a href="/auction/ViewUserInfo?userId=<?= e($id) ?>">What others see of you</a></li>
</ul>
