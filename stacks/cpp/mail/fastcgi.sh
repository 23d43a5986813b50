exec {{ site }}/build/mail/bin/mail
