# Prints in one line what runs, for results: the versions of the JVM and of Spring Boot.
cd "$(dirname "$0")"
echo "$("${JAVA_HOME:+$JAVA_HOME/bin/}java" -version 2>&1 | head -n 1), Spring Boot $(sed -n '/<parent>/,/<\/parent>/s/.*<version>\(.*\)<.*/\1/p' pom.xml)"
