# Compiles all the code once, in the process that all others are copies of, whichever driver it will be that they need. It
# may not connect: copies would share the connection.
use strict;
use warnings;

use DBD::Pg    ();
use DBD::mysql ();
use Plack::Handler::Apache2;

Plack::Handler::Apache2->preload('{{ site }}/{{ application }}/{{ application }}.psgi');

1;
