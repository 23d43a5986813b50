<?php

declare(strict_types=1);
?>
<h1>Your last order</h1>
<p>You have not ordered anything yet.</p>
