exec {{ site }}/build/bin/quotes {{ site }}/static/quotes/quote.xml
