# A template: names in double braces are filled in. `exec` lets the signal TERM reach the program itself.
# Uvicorn knows whole seconds only. They are rounded up, because 0 would close each connection at once.
case "$TIERBENCH_FACTOR_PROCESSES" in cores) processes=$(nproc) ;; one) processes=1 ;; esac
export SITE_FOLDER="{{ site }}" SITE_PROCESSES="$processes" PYTHONDONTWRITEBYTECODE=1
exec "{{ site }}/build/venv/bin/python" -m uvicorn --host "{{ address }}" --port "{{ port.http }}" --backlog 4096 \
    --workers "$processes" --timeout-keep-alive "$(( ({{ factor.http_keep_alive }} + 999) / 1000 ))" \
    --no-access-log --app-dir "{{ site }}" "{{ application }}.main:app"
