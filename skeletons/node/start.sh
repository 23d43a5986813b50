# A template: names in double braces are filled in. `exec` lets the signal TERM reach the program itself.
export NODE_ENV=production
exec node "{{ site }}/server.js" "{{ address }}" "{{ port.http }}" "{{ site }}/static" "{{ factor.http_keep_alive }}"
