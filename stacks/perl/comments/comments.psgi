# The application as Plack's adapters take it, whatever runs it.
use v5.36;

use File::Basename qw(dirname);
use lib dirname(__FILE__), dirname(__FILE__) . '/../common';

use Comments;

Comments->application;
