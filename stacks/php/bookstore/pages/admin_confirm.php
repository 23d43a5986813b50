<?php

declare(strict_types=1);

use Bookstore\State;
use Common\Money;

use function Common\e;

/**
 * @var State $state
 * @var int $id
 * @var string $title
 * @var Money $cost
 * @var string $image
 * @var string $thumbnail
 */
?>
<h1><data class="acknowledged" value="0"><?= e($title) ?></data> is changed</h1>
<p>It costs <?= e($cost) ?>.</p>
<p><img src="/bookstore/<?= e($image) ?>" alt="The image" width="120" height="180"> <img src="/bookstore/<?= e($thumbnail) ?>" alt="The thumbnail" width="80" height="120"></p>
<p><a class="button" href="/bookstore/ProductDetail?I_ID=<?= e($id . $state->more()) ?>">Back to the book</a></p>
