# Prints in a line what runs: version.sh JDK SITE. Without a TomEE in the site it is the JVM alone.
set -eu

java=$(sh "$(dirname "$0")/templates/java.sh" "$1")
jvm=$("$java" --version | head -n 1)
core=$(find "$2/target/tomee/lib" -name 'tomee-catalina-*.jar' 2>/dev/null | sed 's/.*tomee-catalina-\(.*\)\.jar/\1/')
echo "${core:+Apache TomEE $core on }$jvm"
