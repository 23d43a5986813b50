exec perl {{ site }}/{{ application }}/{{ application }}.pl
