<?php

declare(strict_types=1);

use Bookstore\State;

use function Common\e;

/** @var State $state */
?>
<h1>Log in to order</h1>
<form action="/bookstore/BuyRequest" method="post">
<?php require __DIR__ . '/cart_field.php' ?>
<input type="hidden" name="RETURNING_FLAG" value="Y">
<p><label for="UNAME">User name</label> <input id="UNAME" name="UNAME" maxlength="20" autocomplete="username" required></p>
<p><label for="PASSWD">Password</label> <input id="PASSWD" name="PASSWD" type="password" maxlength="20" autocomplete="current-password" required></p>
<p><button type="submit">Log in</button></p>
</form>
<p><a href="/bookstore/CustomerRegistration?RETURNING_FLAG=N<?= e($state->more()) ?>">I am new here</a></p>
