# A template: names in double braces are filled in. Looks for the JVM where services/tomcat does, and becomes it.
for home in "$(printenv "JAVA_HOME_$TIERBENCH_FACTOR_JDK")" "$JAVA_HOME" /usr/lib/jvm/*; do
    java="$home/bin/java"
    if [ -x "$java" ] && grep -q "^JAVA_VERSION=\"$TIERBENCH_FACTOR_JDK[.\"]" "$home/release" 2>/dev/null; then
        # PostgreSQL's driver tells the server the JVM's time zone, and instants in the tables are UTC.
        exec "$java" "-Xmx$TIERBENCH_FACTOR_HEAP" -Duser.timezone=UTC \
            "-Dquarkus.http.host={{ address }}" "-Dquarkus.http.port={{ port.http }}" \
            "-Dquarkus.http.idle-timeout={{ factor.http_keep_alive }}ms" "-Dstatic.folder={{ site }}/static" \
            -jar "{{ site }}/build/{{ application }}/$TIERBENCH_FACTOR_ACCESS-$TIERBENCH_DB_SERVICE/quarkus-run.jar"
    fi
done
echo "there is no JVM of version $TIERBENCH_FACTOR_JDK in JAVA_HOME_$TIERBENCH_FACTOR_JDK, in JAVA_HOME or below /usr/lib/jvm" >&2
exit 1
