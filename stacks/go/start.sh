# A template: names in double braces are filled in. `exec` lets the signal TERM reach the program itself.
exec "{{ site }}/build/{{ application }}" \
    --listen "{{ address }}:{{ port.http }}" \
    --files "{{ site }}/static" \
    --keep-alive "{{ factor.http_keep_alive }}ms"
