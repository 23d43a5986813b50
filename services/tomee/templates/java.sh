# Prints which program is the JVM of a version: java.sh 17
set -eu

eval "own=\${JAVA_HOME_$1:-}"
for home in "$own" "${JAVA_HOME:-}" /usr/lib/jvm/*; do
    [ -x "$home/bin/java" ] && [ -f "$home/release" ] || continue
    version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$home/release")
    [ "$version" = "$1" ] || continue
    echo "$home/bin/java"
    exit
done
echo "there is no JVM of version $1 in JAVA_HOME_$1, in JAVA_HOME or below /usr/lib/jvm" >&2
exit 1
