# A template: names in double braces are filled in. `exec` lets the signal TERM reach the program itself.
export NODE_ENV=production
export SITE_ADDRESS="{{ address }}" SITE_PORT="{{ port.http }}" SITE_FOLDER="{{ site }}"
export SITE_KEEP_ALIVE="{{ factor.http_keep_alive }}"
exec node "{{ site }}/build/{{ application }}/main.js"
