<?php

declare(strict_types=1);

// Answers every request with one page. The database is named in the environment: getenv('TIERBENCH_DB_HOST') and so on.
header('Content-Type: text/html; charset=utf-8');
?>
<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>__STACK__</title></head>
<body><h1>__STACK__ answers</h1></body>
</html>
