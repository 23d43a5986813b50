exec {{ site }}/build/bin/quotes-server {{ address }} {{ port.http }} {{ factor.http_keep_alive }} {{ site }}/static/quotes
