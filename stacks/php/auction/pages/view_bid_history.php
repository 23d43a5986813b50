<?php

declare(strict_types=1);

use Auction\Item;
use Common\Row;

use function Common\e;
use function Common\instant;

/**
 * @var Item $item
 * @var list<Row> $bids
 */
?>
<h1>Bids on <?= e($item->name()) ?></h1>
<?php if ($bids === []): ?>
<p>There are no bids.</p>
<?php else: ?>
<div class="wide">
<table>
<caption>All bids, the last on top</caption>
<thead>
<tr><th scope="col">Bidder</th><th scope="col" class="number">Bid</th><th scope="col" class="number">Quantity</th><th scope="col">Date</th></tr>
</thead>
<tbody>
<?php foreach ($bids as $bid): ?>
<tr>
<th scope="row"><a href="/auction/ViewUserInfo?userId=<?= e($bid->int('user_id')) ?>"><?= e($bid->text('nickname')) ?></a></th>
<td class="number"><?= e($bid->money('bid')) ?></td>
<td class="number"><?= e($bid->int('qty')) ?></td>
<td><?= instant($bid->text('date')) ?></td>
</tr>
<?php endforeach ?>
</tbody>
</table>
</div>
<?php endif ?>
<p><a href="/auction/ViewItem?itemId=<?= e($item->id) ?>">Back to the item</a></p>
