package Common::Form;

# The parameters of a request. Plack::Request would read them, too, but a CGI program spends four times as long on loading it
# as on all its other modules.

use v5.36;

use Common::Fault;

# Decodes a query or a body. Of a parameter that is repeated the last value counts.
sub decode ( $class, $encoded ) {
    my %values;
    for my $pair ( split /&/, $encoded ) {
        my ( $name, $value ) = map { _unescape($_) } split( /=/, $pair, 2 ), q{}, q{};
        $values{$name} = $value;
    }
    return bless \%values, $class;
}

# A text of 1 to $most code points, taken as it is.
sub text ( $self, $name, $most ) {
    my $text = $self->{$name} // q{};

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
