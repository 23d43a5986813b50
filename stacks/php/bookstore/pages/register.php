<?php

declare(strict_types=1);

use Bookstore\State;

use function Common\e;

/** @var State $state */
?>
<h1>Register to order</h1>
<form action="/bookstore/BuyRequest" method="post">
<?php require __DIR__ . '/cart_field.php' ?>
<input type="hidden" name="RETURNING_FLAG" value="N">
<p><label for="NEW_UNAME">User name</label> <input id="NEW_UNAME" name="NEW_UNAME" maxlength="20" pattern="[A-Za-z0-9_.\-]+" autocomplete="username" required></p>
<p><label for="NEW_PASSWD">Password</label> <input id="NEW_PASSWD" name="NEW_PASSWD" type="password" maxlength="20" autocomplete="new-password" required></p>
<p><label for="FNAME">First name</label> <input id="FNAME" name="FNAME" maxlength="17" autocomplete="given-name" required></p>
<p><label for="LNAME">Last name</label> <input id="LNAME" name="LNAME" maxlength="17" autocomplete="family-name" required></p>
<?php $required = ' required' ?>
<?php require __DIR__ . '/address_fields.php' ?>
<p><label for="PHONE">Telephone</label> <input id="PHONE" name="PHONE" type="tel" maxlength="16" autocomplete="tel" required></p>
<p><label for="EMAIL">Email address</label> <input id="EMAIL" name="EMAIL" type="email" maxlength="50" autocomplete="email" required></p>
<p><label for="BIRTHDATE">Date of birth</label> <input id="BIRTHDATE" name="BIRTHDATE" type="date" min="1880-01-01" max="2100-12-31" autocomplete="bday" required></p>
<p><label for="DATA">What do you like to read?</label> <textarea id="DATA" name="DATA" maxlength="500" rows="3" required></textarea></p>
<p><button type="submit">Register</button></p>
</form>
<p><a href="/bookstore/CustomerRegistration?RETURNING_FLAG=Y<?= e($state->more()) ?>">I am a customer already</a></p>
