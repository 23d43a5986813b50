# Prints the versions of Go and of the libraries in one line, for results: those that the program was built with.
for program in "$(dirname "$0")"/build/*; do
    exec "$program" --version
done
