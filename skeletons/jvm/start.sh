# A template: names in double braces are filled in. `exec` lets the signal TERM reach the program itself.
exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" "-Xmx$TIERBENCH_FACTOR_HEAP" -jar "{{ site }}/target/server.jar" \
    "--server.address={{ address }}" "--server.port={{ port.http }}" \
    "--server.tomcat.keep-alive-timeout={{ factor.http_keep_alive }}ms" \
    "--spring.web.resources.static-locations=file:{{ site }}/static/"
