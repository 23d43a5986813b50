<?php

declare(strict_types=1);

use Auction\Item;
use Common\Row;

use function Common\e;
use function Common\instant;

/**
 * @var Row $user
 * @var list<Row> $bids
 * @var list<Row> $won
 * @var list<Row> $bought
 * @var list<Row> $selling
 * @var list<Row> $sold
 * @var list<Row> $comments
 */
?>
<h1>About <?= e($user->text('nickname')) ?></h1>
<dl>
<div><dt>Name</dt><dd><?= e($user->text('firstname')) ?> <?= e($user->text('lastname')) ?></dd></div>
<div><dt>Email address</dt><dd><?= e($user->text('email')) ?></dd></div>
<div><dt>Region</dt><dd><?= e($user->text('region')) ?></dd></div>
<div><dt>Rating</dt><dd><?= e($user->int('rating')) ?></dd></div>
<div><dt>Balance</dt><dd><?= e($user->money('balance')) ?></dd></div>
<div><dt>Registered</dt><dd><?= instant($user->text('creation_date')) ?></dd></div>
</dl>
<h2>Your bids</h2>
<?php if ($bids === []): ?>
<p>You have no bids on open auctions.</p>
<?php else: ?>
<div class="wide">
<table>
<caption>Open auctions on which you bid, those that end first on top</caption>
<thead>
<tr><th scope="col">Item</th><th scope="col" class="number">Price</th><th scope="col" class="number">Your bid</th><th scope="col" class="number">Your most</th><th scope="col" class="number">Bids</th><th scope="col">Ends</th><th scope="col">Bid</th></tr>
</thead>
<tbody>
<?php foreach ($bids as $row): ?>
<?php $item = Item::of($row) ?>
<tr>
<th scope="row"><a href="/auction/ViewItem?itemId=<?= e($item->id) ?>"><?= e($item->name()) ?></a></th>
<td class="number"><?= e($item->price()) ?></td>
<td class="number"><?= e($row->money('own_bid')) ?></td>
<td class="number"><?= e($row->money('own_most')) ?></td>
<td class="number"><?= e($item->numberOfBids()) ?></td>
<td><?= instant($item->endDate()) ?></td>
<td><a href="/auction/PutBidAuth?itemId=<?= e($item->id) ?>" aria-label="Bid on <?= e($item->name()) ?>">Bid</a></td>
</tr>
<?php endforeach ?>
</tbody>
</table>
</div>
<?php endif ?>
<h2>Won</h2>
<?php if ($won === []): ?>
<p>You have won no auction.</p>
<?php else: ?>
<div class="wide">
<table>
<caption>Auctions that you have won, the last on top</caption>
<thead>
<tr><th scope="col">Item</th><th scope="col" class="number">Price</th><th scope="col">Seller</th><th scope="col">Ended</th></tr>
</thead>
<tbody>
<?php foreach ($won as $row): ?>
<?php $item = Item::of($row) ?>
<tr>
<th scope="row"><a href="/auction/ViewItem?itemId=<?= e($item->id) ?>"><?= e($item->name()) ?></a></th>
<td class="number"><?= e($item->price()) ?></td>
<td><a href="/auction/ViewUserInfo?userId=<?= e($item->seller()) ?>"><?= e($row->text('nickname')) ?></a></td>
<td><?= instant($item->endDate()) ?></td>
</tr>
<?php endforeach ?>
</tbody>
</table>
</div>
<?php endif ?>
<h2>Bought</h2>
<?php if ($bought === []): ?>
<p>You have bought nothing at once in the last 30 days.</p>
<?php else: ?>
<div class="wide">
<table>
<caption>What you have bought at once in the last 30 days, the last on top</caption>
<thead>
<tr><th scope="col">Item</th><th scope="col" class="number">Price of one</th><th scope="col" class="number">Quantity</th><th scope="col">Date</th></tr>
</thead>
<tbody>
<?php foreach ($bought as $row): ?>
<tr>
<th scope="row"><a href="/auction/ViewItem?itemId=<?= e($row->int('item_id')) ?>"><?= e($row->text('name')) ?></a></th>
<td class="number"><?= e($row->money('buy_now')) ?></td>
<td class="number"><?= e($row->int('qty')) ?></td>
<td><?= instant($row->text('date')) ?></td>
</tr>
<?php endforeach ?>
</tbody>
</table>
</div>
<?php endif ?>
<h2>Selling</h2>
<?php if ($selling === []): ?>
<p>You have no open auctions.</p>
<?php else: ?>
<div class="wide">
<table>
<caption>Your open auctions, those that end first on top</caption>
<thead>
<tr><th scope="col">Item</th><th scope="col" class="number">Price</th><th scope="col" class="number">Bids</th><th scope="col" class="number">Quantity</th><th scope="col" class="number">Reserve price</th><th scope="col" class="number">To buy at once</th><th scope="col">Ends</th></tr>
</thead>
<tbody>
<?php foreach ($selling as $row): ?>
<?php $item = Item::of($row) ?>
<tr>
<th scope="row"><a href="/auction/ViewItem?itemId=<?= e($item->id) ?>"><?= e($item->name()) ?></a></th>
<td class="number"><?= e($item->price()) ?></td>
<td class="number"><?= e($item->numberOfBids()) ?></td>
<td class="number"><?= e($item->quantity()) ?></td>
<td class="number"><?= e($item->reservePrice()) ?></td>
<td class="number"><?= e($item->buyNow()) ?></td>
<td><?= instant($item->endDate()) ?></td>
</tr>
<?php endforeach ?>
</tbody>
</table>
</div>
<?php endif ?>
<h2>Sold</h2>
<?php if ($sold === []): ?>
<p>None of your auctions has ended in the last 30 days.</p>
<?php else: ?>
<div class="wide">
<table>
<caption>Your auctions that ended in the last 30 days, the last on top</caption>
<thead>
<tr><th scope="col">Item</th><th scope="col" class="number">Highest bid</th><th scope="col" class="number">Quantity left</th><th scope="col">Outcome</th><th scope="col">Ended</th></tr>
</thead>
<tbody>
<?php foreach ($sold as $row): ?>
<?php $item = Item::of($row) ?>
<tr>
<th scope="row"><a href="/auction/ViewItem?itemId=<?= e($item->id) ?>"><?= e($item->name()) ?></a></th>
<td class="number"><?= e($item->highestBid() ?? 'none') ?></td>
<td class="number"><?= e($item->quantity()) ?></td>
<td><?= e($item->outcome()) ?></td>
<td><?= instant($item->endDate()) ?></td>
</tr>
<?php endforeach ?>
</tbody>
</table>
</div>
<?php endif ?>
<h2>Comments about you</h2>
<?php require __DIR__ . '/comments.php' ?>
