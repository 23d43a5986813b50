# Prints in a line what runs: version.sh SITE. A stack that says nothing of it has a program of its own.
set -eu

if [ -f "$1/version.sh" ]; then
    exec sh "$1/version.sh"
fi
echo "a program of the stack's own"
