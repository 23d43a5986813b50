# Unpacks the program as Spring Boot advises: it starts faster from separate libraries, and only their classes can be archived.
set -eu
rm -rf target/server
"${JAVA_HOME:+$JAVA_HOME/bin/}java" -Djarmode=tools -jar target/server.jar extract --destination target/server
