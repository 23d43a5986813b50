<?php

declare(strict_types=1);

use Bookstore\Subject;

use function Common\e;
?>
<h1>Search</h1>
<div class="forms">
<form action="/bookstore/SearchResults" method="get">
<?php require __DIR__ . '/state.php' ?>
<input type="hidden" name="SEARCH_TYPE" value="author">
<p><label for="author">The author's last name begins with</label> <input id="author" name="SEARCH_STRING" maxlength="60" required></p>
<p><button type="submit">Search authors</button></p>
</form>
<form action="/bookstore/SearchResults" method="get">
<?php require __DIR__ . '/state.php' ?>
<input type="hidden" name="SEARCH_TYPE" value="title">
<p><label for="title">The title begins with</label> <input id="title" name="SEARCH_STRING" maxlength="60" required></p>
<p><button type="submit">Search titles</button></p>
</form>
<form action="/bookstore/SearchResults" method="get">
<?php require __DIR__ . '/state.php' ?>
<input type="hidden" name="SEARCH_TYPE" value="subject">
<p><label for="subject">The subject is</label> <select id="subject" name="SEARCH_STRING">
<?php foreach (Subject::ALL as $subject): ?>
<option><?= e($subject) ?></option>
<?php endforeach ?>
</select></p>
<p><button type="submit">Search the subject</button></p>
</form>
</div>
<?php require __DIR__ . '/promoted.php' ?>
