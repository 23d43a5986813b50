# Prints in a line what runs: version.sh JDK SITE. Without a Tomcat in the site it is the JVM alone.
set -eu

java=$(sh "$(dirname "$0")/templates/java.sh" "$1")
catalina=$2/target/tomcat/lib/catalina.jar
if [ -f "$catalina" ]; then
    "$java" -cp "$catalina:${catalina%/*}/*" org.apache.catalina.util.ServerInfo |
        sed -n 's/^Server version: *//p; s/^JVM Version: */on Java /p; s/^JVM Vendor: *\(.*\)/(\1)/p' | paste -s -d ' '
else
    "$java" --version | head -n 1
fi
