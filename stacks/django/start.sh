# A template: names in double braces are filled in. `exec` lets the signal TERM reach the program itself.
# Gunicorn knows whole seconds only. They are rounded up, because 0 would close each connection at once.
case "$TIERBENCH_FACTOR_PROCESSES" in cores) processes=$(nproc) ;; one) processes=1 ;; esac
export SITE_FOLDER="{{ site }}" SITE_ADDRESS="{{ address }}" SITE_APPLICATION="{{ application }}"
export DJANGO_SETTINGS_MODULE=common.settings PYTHONDONTWRITEBYTECODE=1
exec "{{ site }}/build/venv/bin/python" -m gunicorn --bind "{{ address }}:{{ port.http }}" --backlog 4096 \
    --worker-class gthread --workers "$processes" --threads "$(( (TIERBENCH_FACTOR_POOL + processes - 1) / processes ))" \
    --worker-connections 8192 --keep-alive "$(( ({{ factor.http_keep_alive }} + 999) / 1000 ))" --graceful-timeout 5 \
    --config "{{ site }}/common/gunicorn.conf.py" --chdir "{{ site }}" common.wsgi
