# A template: names in double braces are filled in. `exec` lets the signal TERM reach the program itself.
export LISTEN="{{ address }}:{{ port.http }}"
export FILES="{{ site }}/static"
export KEEP_ALIVE_MS="{{ factor.http_keep_alive }}"
exec "{{ site }}/build/release/{{ application }}"
