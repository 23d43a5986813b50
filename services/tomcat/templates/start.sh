# Becomes the JVM of the version that the factor jdk names, with Tomcat in it.
set -eu

for home in "${JAVA_HOME_{{ factor.jdk }}:-}" "${JAVA_HOME:-}" /usr/lib/jvm/*; do
    [ -x "$home/bin/java" ] && [ -f "$home/release" ] || continue
    version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$home/release")
    [ "$version" = {{ factor.jdk }} ] || continue
    exec "$home/bin/java" \
        -Xms{{ factor.heap }} -Xmx{{ factor.heap }} \
        -XX:+ExitOnOutOfMemoryError \
        -Djava.io.tmpdir="{{ folder }}/tmp" \
        -Djava.util.logging.manager=org.apache.juli.ClassLoaderLogManager \
        -Djava.util.logging.config.file="{{ folder }}/conf/logging.properties" \
        -Dorg.apache.catalina.startup.EXIT_ON_INIT_FAILURE=true \
        -Dcatalina.home="{{ site }}/target/tomcat" \
        -Dcatalina.base="{{ folder }}" \
        -cp "{{ site }}/target/tomcat/bin/bootstrap.jar:{{ site }}/target/tomcat/bin/tomcat-juli.jar" \
        org.apache.catalina.startup.Bootstrap start
done
echo "there is no JVM of version {{ factor.jdk }} in JAVA_HOME_{{ factor.jdk }}, in JAVA_HOME or below /usr/lib/jvm" >&2
exit 1
