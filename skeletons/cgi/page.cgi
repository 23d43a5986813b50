#!/bin/sh
# Answers with one page whatever is not a file. Apache sends the files. The request is in the environment (REQUEST_METHOD,
# REQUEST_URI) and on standard input. TIERBENCH_DB_* name the database. The code does not connect to it yet.
set -u
printf 'Content-Type: text/html; charset=utf-8\r\n\r\n'
cat <<END
<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>__STACK__</title></head>
<body><h1>__STACK__ answers</h1><p>The data are in $TIERBENCH_DB_SERVICE at $TIERBENCH_DB_HOST:$TIERBENCH_DB_PORT, database $TIERBENCH_DB_NAME.</p></body>
</html>
END
