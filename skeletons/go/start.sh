# A template: names in double braces are filled in. `exec` lets the signal TERM reach the program itself.
exec "{{ site }}/build/server" "{{ address }}:{{ port.http }}" "{{ site }}/static" "{{ factor.http_keep_alive }}ms"
