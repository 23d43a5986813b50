# Becomes the JVM of the version that the factor jdk names, with TomEE in it.
set -eu

tomee="{{ site }}/target/tomee"
agent="{{ site }}/target/agent/jmx_prometheus_javaagent.jar"
java=$(sh "{{ folder }}/java.sh" {{ factor.jdk }})

[ "$TIERBENCH_FACTOR_PROTOCOL" = prepared ] && prepared=true || prepared=false
url="jdbc:mariadb://$TIERBENCH_DB_HOST:$TIERBENCH_DB_PORT/$TIERBENCH_DB_NAME"
url="$url?useServerPrepStmts=$prepared&cachePrepStmts=$prepared"
{% if factor.isolation != "database" -%}
url="$url&transactionIsolation={{ factor.isolation }}"
{% endif -%}
exec "$java" \
    -Xms{{ factor.heap }} -Xmx{{ factor.heap }} \
    -XX:+ExitOnOutOfMemoryError \
    -javaagent:"$agent={{ address }}:{{ port.metrics }}:{{ folder }}/conf/metrics.yaml" \
    -javaagent:"$tomee/lib/openejb-javaagent.jar" \
    --add-opens=java.base/java.lang=ALL-UNNAMED \
    --add-opens=java.base/java.io=ALL-UNNAMED \
    --add-opens=java.base/java.net=ALL-UNNAMED \
    --add-opens=java.base/java.util=ALL-UNNAMED \
    -Duser.language=en -Duser.timezone=UTC \
    -Djava.io.tmpdir="{{ folder }}/tmp" \
    -Djava.util.logging.manager=org.apache.juli.ClassLoaderLogManager \
    -Djava.util.logging.config.file="{{ folder }}/conf/logging.properties" \
    -Dorg.apache.catalina.startup.EXIT_ON_INIT_FAILURE=true \
    -Dcatalina.home="$tomee" \
    -Dcatalina.base="{{ folder }}" \
    -Dtierbench.database.url="$url" \
    -Dtierbench.database.user="$TIERBENCH_DB_USER" \
    -Dtierbench.database.password="$TIERBENCH_DB_PASSWORD" \
    -Dtierbench.database.pool="$TIERBENCH_FACTOR_POOL" \
    -cp "$tomee/bin/bootstrap.jar:$tomee/bin/tomcat-juli.jar" \
    org.apache.catalina.startup.Bootstrap start
