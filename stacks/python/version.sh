# Prints in one line, for results, what runs.
exec /usr/bin/uvicorn --version
