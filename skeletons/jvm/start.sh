# A template: names in double braces are filled in. `exec` lets the signal TERM reach the program itself.
classes="{{ folder }}/tmp/classes"
case "$TIERBENCH_FACTOR_AOT ${TIERBENCH_TRAINING:-0}" in
    "true 1") set -- "-XX:ArchiveClassesAtExit=$classes" ;;
    "true 0") set -- "-XX:SharedArchiveFile=$classes" -Xshare:on ;;
esac
[ "$TIERBENCH_FACTOR_JVM_FLAGS" = none ] || set -- $TIERBENCH_FACTOR_JVM_FLAGS "$@"
exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" "-Xmx$TIERBENCH_FACTOR_HEAP" "$@" -jar "{{ site }}/target/server/server.jar" \
    "--server.address={{ address }}" "--server.port={{ port.http }}" \
    "--server.tomcat.keep-alive-timeout={{ factor.http_keep_alive }}ms" \
    "--spring.web.resources.static-locations=file:{{ site }}/static/"
