# A template: names in double braces are filled in. `exec` lets the signal TERM reach the program itself.
exec "{{ site }}/build/release/server" "{{ address }}:{{ port.http }}" "{{ site }}/static"
