# Prints the program's version in one line, for results.
exec /usr/bin/python3 --version
