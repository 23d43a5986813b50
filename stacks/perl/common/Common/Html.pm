package Common::Html;

# Text as HTML, safe between tags and in quoted attributes.

use v5.36;

use Exporter qw(import);

our @EXPORT_OK = qw(escape);

my %ENTITY = ( '&' => '&amp;', '<' => '&lt;', '>' => '&gt;', '"' => '&quot;', q{'} => '&#39;' );

sub escape ($text) {
    return $text =~ s/([&<>"'])/$ENTITY{$1}/gr;
}

1;
