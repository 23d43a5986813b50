# Installs the libraries of requirements.txt into build/venv, and compiles them, since a run cannot write there.
# Python itself is copied, because nothing that is deployed may lead out of the stack.
set -eu
/usr/bin/python3 -m venv --clear --copies build/venv
build/venv/bin/pip --quiet --disable-pip-version-check --no-input install --no-compile --require-hashes --only-binary :all: \
    --requirement requirements.txt
build/venv/bin/python -m compileall -q --invalidation-mode unchecked-hash build/venv/lib
