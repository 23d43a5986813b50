<?php

declare(strict_types=1);

// Answers with one page whatever is not a file. Apache sends the files.

/** Where the data are: SERVICE, HOST, PORT, NAME, USER or PASSWORD. The code does not connect to the database yet. */
function database(string $name): string
{
    return (string) getenv('TIERBENCH_DB_' . $name);
}

header('Content-Type: text/html; charset=utf-8');
?>
<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>__STACK__</title></head>
<body><h1>__STACK__ answers</h1><p>The data are in <?= database('SERVICE') ?> at <?= database('HOST') ?>:<?= database('PORT') ?>, database <?= database('NAME') ?>.</p></body>
</html>
