# Prints in one line what runs, for results: the language's version and, once there is one, the server's.
exec /usr/bin/python3 --version
