# Prints the versions of Go and of the drivers in one line, for results: those that the program was built with.
exec "$(dirname "$0")/build/comments" --version
