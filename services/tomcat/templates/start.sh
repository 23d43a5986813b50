# Becomes the JVM of the version that the factor jdk names, with Tomcat in it.
set -eu

java=$(sh "{{ folder }}/java.sh" {{ factor.jdk }})
tomcat="{{ site }}/target/tomcat"
agent="{{ site }}/target/agent/jmx_prometheus_javaagent.jar"
exec "$java" \
    -Xms{{ factor.heap }} -Xmx{{ factor.heap }} \
    -XX:+ExitOnOutOfMemoryError \
    -javaagent:"$agent={{ address }}:{{ port.metrics }}:{{ folder }}/conf/metrics.yaml" \
    -Duser.language=en \
    -Djava.io.tmpdir="{{ folder }}/tmp" \
    -Djava.util.logging.manager=org.apache.juli.ClassLoaderLogManager \
    -Djava.util.logging.config.file="{{ folder }}/conf/logging.properties" \
    -Dorg.apache.catalina.startup.EXIT_ON_INIT_FAILURE=true \
    -Dcatalina.home="$tomcat" \
    -Dcatalina.base="{{ folder }}" \
    -cp "$tomcat/bin/bootstrap.jar:$tomcat/bin/tomcat-juli.jar" \
    org.apache.catalina.startup.Bootstrap start
