# Becomes the program.
exec /usr/bin/python3 "{{ site }}/server.py" "{{ address }}" "{{ port.http }}"
