# Prints in one line, for results, the versions of the libraries that were built in.
cd "$(dirname "$0")/build"/*/fast-jar/jdbc-postgresql/lib/main
ls | sed -nE 's/^[a-z.]*\.(quarkus-rest|quarkus-qute|quarkus-agroal|hibernate-core|agroal-pool|mariadb-java-client|postgresql)-([0-9].*)\.jar$/\1 \2/p' | paste -sd ,
