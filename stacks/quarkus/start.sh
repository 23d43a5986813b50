# A template: names in double braces are filled in. Looks for the JVM where services/tomcat does, and becomes it.
classes="{{ folder }}/tmp/classes"
# A JVM that is told to use an archive (on) fails where it can't, instead of loading classes without it.
case "$TIERBENCH_FACTOR_AOT ${TIERBENCH_TRAINING:-0} $TIERBENCH_FACTOR_JDK" in
    "true 1 17") set -- "-XX:ArchiveClassesAtExit=$classes" ;;
    "true 0 17") set -- "-XX:SharedArchiveFile=$classes" -Xshare:on ;;
    "true 1 "*) set -- "-XX:AOTCacheOutput=$classes" ;;
    "true 0 "*) set -- "-XX:AOTCache=$classes" -XX:AOTMode=on ;;
esac
[ "$TIERBENCH_FACTOR_JVM_FLAGS" = none ] || set -- $TIERBENCH_FACTOR_JVM_FLAGS "$@"
# Quarkus' fast-jar has a class loader of its own, whose classes no archive takes.
[ "$TIERBENCH_FACTOR_AOT" = true ] && package=aot-jar || package=fast-jar
for home in "$(printenv "JAVA_HOME_$TIERBENCH_FACTOR_JDK")" "$JAVA_HOME" /usr/lib/jvm/*; do
    java="$home/bin/java"
    if [ -x "$java" ] && grep -q "^JAVA_VERSION=\"$TIERBENCH_FACTOR_JDK[.\"]" "$home/release" 2>/dev/null; then
        # PostgreSQL's driver tells the server the JVM's time zone, and instants in the tables are UTC. Vert.x keeps files in
        # a folder vertx-cache of the JVM's temporary folder, which in /tmp belongs to the first user who runs any Vert.x.
        exec "$java" "-Xmx$TIERBENCH_FACTOR_HEAP" "$@" -Duser.timezone=UTC "-Djava.io.tmpdir={{ folder }}/tmp" \
            "-Dquarkus.http.host={{ address }}" "-Dquarkus.http.port={{ port.http }}" \
            "-Dquarkus.http.idle-timeout={{ factor.http_keep_alive }}ms" "-Dstatic.folder={{ site }}/static" \
            -jar "{{ site }}/build/{{ application }}/$package/$TIERBENCH_FACTOR_ACCESS-$TIERBENCH_DB_SERVICE/quarkus-run.jar"
    fi
done
echo "there is no JVM of version $TIERBENCH_FACTOR_JDK in JAVA_HOME_$TIERBENCH_FACTOR_JDK, in JAVA_HOME or below /usr/lib/jvm" >&2
exit 1
