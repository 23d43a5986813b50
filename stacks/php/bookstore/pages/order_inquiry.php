<?php

declare(strict_types=1);
?>
<h1>Your last order</h1>
<form action="/bookstore/OrderDisplay" method="post">
<?php require __DIR__ . '/state.php' ?>
<p><label for="UNAME">User name</label> <input id="UNAME" name="UNAME" maxlength="20" autocomplete="username" required></p>
<p><label for="PASSWD">Password</label> <input id="PASSWD" name="PASSWD" type="password" maxlength="20" autocomplete="current-password" required></p>
<p><button type="submit">Log in</button></p>
</form>
