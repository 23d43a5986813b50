# A template: names in double braces are filled in. `exec` lets the signal TERM reach the program itself.
# Uvicorn knows whole seconds only. They are rounded up, because 0 would close each connection at once.
export SITE_FOLDER="{{ site }}" PYTHONDONTWRITEBYTECODE=1
exec "{{ site }}/build/venv/bin/python" -m uvicorn --host "{{ address }}" --port "{{ port.http }}" \
    --timeout-keep-alive "$(( ({{ factor.http_keep_alive }} + 999) / 1000 ))" --no-access-log --app-dir "{{ site }}" server:app
