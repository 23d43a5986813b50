# A template: names in double braces are filled in. `exec` lets the signal TERM reach the program itself.
exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" "-Xmx$TIERBENCH_FACTOR_HEAP" -Duser.timezone=UTC -jar "{{ site }}/target/server.jar" \
    "{{ application }}" "{{ address }}" "{{ port.http }}" "{{ site }}/static" "{{ factor.http_keep_alive }}"
