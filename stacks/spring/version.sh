# Prints in one line, for results, the versions of the libraries that were built in.
cd "$(dirname "$0")/build"/*/lib
ls | sed -nE 's/^(spring-boot|tomcat-embed-core|thymeleaf|hibernate-core|HikariCP|mariadb-java-client|postgresql)-([0-9].*)\.jar$/\1 \2/p' | paste -sd ,
