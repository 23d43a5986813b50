#!/bin/sh
# Answers every request with one page. The request is in the environment (REQUEST_METHOD, REQUEST_URI) and on standard
# input, the database is named in the environment, in TIERBENCH_DB_*.
printf 'Content-Type: text/html; charset=utf-8\r\n\r\n'
cat <<'END'
<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>__STACK__</title></head>
<body><h1>__STACK__ answers</h1></body>
</html>
END
