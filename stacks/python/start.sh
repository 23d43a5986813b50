# A template: names in double braces are filled in. `exec` lets the signal TERM reach the program itself.
#
# - h11 passes any method on; httptools refuses those that it does not know.
# - Uvicorn knows whole seconds only. They are rounded up, because 0 would close each connection at once.
export STATIC_FILES="{{ site }}/static"
exec /usr/bin/uvicorn --host "{{ address }}" --port "{{ port.http }}" --backlog 4096 \
    --workers "$TIERBENCH_FACTOR_PROCESSES" --timeout-keep-alive "$(( ({{ factor.http_keep_alive }} + 999) / 1000 ))" \
    --loop uvloop --http h11 --ws none --lifespan off --no-proxy-headers --no-access-log --log-level error \
    --app-dir "{{ site }}/{{ application }}" app:application
