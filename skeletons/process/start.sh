# A template: names in double braces are filled in. `exec` lets the signal TERM reach the program itself.
exec /usr/bin/python3 "{{ site }}/server.py" "{{ address }}" "{{ port.http }}" "{{ site }}/static" "{{ factor.http_keep_alive }}"
