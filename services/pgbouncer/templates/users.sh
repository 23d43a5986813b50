# Writes who may connect, in quotes that are doubled within.
set -eu

umask 077
quoted() {
    printf '"%s"' "$(printf %s "$1" | sed 's/"/""/g')"
}
echo "$(quoted "$TIERBENCH_DB_USER") $(quoted "$TIERBENCH_DB_PASSWORD")" >"{{ folder }}/users.txt"
