#!/usr/bin/perl
# Uses 20 ms of CPU time, and tells how much it was when it is about to end.
use strict;
use warnings;
use Time::HiRes qw(clock_gettime CLOCK_PROCESS_CPUTIME_ID);

1 while clock_gettime(CLOCK_PROCESS_CPUTIME_ID) < 0.02;
printf "Content-Type: text/plain\r\n\r\n%.6f", clock_gettime(CLOCK_PROCESS_CPUTIME_ID);
