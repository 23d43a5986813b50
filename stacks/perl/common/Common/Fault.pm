package Common::Fault;

# Why a request is refused. Its message is the text of the error page. A refused request has changed nothing.

use v5.36;

my %HEADING = (
    400 => 'Bad request',
    404 => 'Not found',
    405 => 'Wrong method',
    413 => 'Too long',
    500 => 'Internal error',
);

sub unknown_page ($class) {
    return $class->_new( 404, 'There is no such page.' );
}

sub wrong_method ( $class, $right ) {
    return $class->_new( 405, "This page is for $right requests only.", Allow => $right );
}

sub parameter ( $class, $name ) {
    return $class->_new( 400, "The parameter $name is missing, repeated or malformed." );
}

sub body_too_long ($class) {
    return $class->_new( 413, q{The request's body is too long.} );
}

# For everything that is our fault. What it was is in the log, and none of the visitor's business.
sub internal ($class) {
    return $class->_new( 500, 'Something went wrong here. Please try again later.' );
}

sub status ($self) { return $self->{status} }

sub message ($self) { return $self->{message} }

# Headers that go with it, names and values.
sub headers ($self) { return $self->{headers}->@* }

# Title and heading of the error page.
sub heading ($self) { return $HEADING{ $self->{status} } }

sub _new ( $class, $status, $message, @headers ) {
    return bless { status => $status, message => $message, headers => \@headers }, $class;
}

1;
