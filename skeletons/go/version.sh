# Prints in one line what runs, for results: the version of Go that built the program.
exec go version "$(dirname "$0")/build/server"
