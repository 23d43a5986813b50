# Prints in a line what runs: version.sh JDK SITE. Without a GlassFish in the site it is the JVM alone.
set -eu

java=$(sh "$(dirname "$0")/templates/java.sh" "$1")
jvm=$("$java" --version | head -n 1)
branding=$2/target/glassfish/config/branding/glassfish-version.properties
if [ -f "$branding" ]; then
    echo "Eclipse GlassFish $(sed -n 's/^product\.version=//p' "$branding") on $jvm"
else
    echo "$jvm"
fi
