#!/usr/bin/perl
# The program that a web server or process manager starts: for one request (CGI) if its environment has one, else for all
# that come through the socket that it was given (FastCGI).
use v5.36;

use File::Basename qw(dirname);
use lib dirname(__FILE__), dirname(__FILE__) . '/../common';

use Comments;

# Only one of the adapters is loaded, for that is part of what a CGI request costs.
if ( $ENV{GATEWAY_INTERFACE} ) {
    require Plack::Handler::CGI;
    Plack::Handler::CGI->new->run( Comments->application );
}
else {
    require Plack::Handler::FCGI;
    Plack::Handler::FCGI->new->run( Comments->application );
}
