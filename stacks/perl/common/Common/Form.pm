package Common::Form;

# The parameters of a request, read strictly: each must be there exactly once. Modules for it take one of repeated
# ones, or depend on the content type.

use v5.36;

use Common::Fault;

# More would be an attack on our memory.
use constant MOST_PARAMETERS => 1000;

# Decodes a query or a body.
sub decode ( $class, $encoded ) {
    die Common::Fault->too_many_parameters if $encoded =~ tr/&// >= MOST_PARAMETERS;
    my %values;
    for my $pair ( grep {length} split /&/, $encoded ) {
        my ( $name, $value ) = map { _unescape($_) } split( /=/, $pair, 2 ), q{};
        push $values{$name}->@*, $value;
    }
    return bless \%values, $class;
}

# A text of 1 to $most code points, taken as it is.
sub text ( $self, $name, $most ) {
    my @values = ( $self->{$name} // [] )->@*;
    die Common::Fault->parameter($name) if @values != 1;
    my $text = $values[0];

    # Perl's own idea of UTF-8 is wider than Unicode's.
    my $is_right = utf8::decode($text) && $text =~ /\A[\x{1}-\x{D7FF}\x{E000}-\x{10FFFF}]{1,$most}\z/;
    return $is_right ? $text : die Common::Fault->parameter($name);
}

sub email ( $self, $name, $most ) {
    my $address = $self->text( $name, $most );
    return $address =~ /@/ ? $address : die Common::Fault->parameter($name);
}

sub _unescape ($text) {
    return $text =~ tr/+/ /r =~ s/%([0-9A-Fa-f]{2})/chr hex $1/egr;
}

1;
