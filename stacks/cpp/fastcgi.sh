exec {{ site }}/build/bin/{{ application }}
