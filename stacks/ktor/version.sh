# Prints in one line what runs, for results: the versions of the JVM, of Kotlin and of Ktor.
cd "$(dirname "$0")"
of() { sed -n "s/.*<$1.version>\(.*\)<.*/\1/p" pom.xml; }
echo "$("${JAVA_HOME:+$JAVA_HOME/bin/}java" -version 2>&1 | head -n 1), Kotlin $(of kotlin), Ktor $(of ktor)"
