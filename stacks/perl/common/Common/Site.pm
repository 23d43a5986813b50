package Common::Site;

# Where every request arrives that the web server can't answer with a file: an application for PSGI, Perl's interface
# between web servers and applications, so that it is the same for CGI, FastCGI and mod_perl.

use v5.36;

use Common::Database;
use Common::Fault;
use Common::Form;
use Scalar::Util qw(blessed);

use constant LONGEST_BODY => 2 * 1024 * 1024;

# Routes by path: each has its method and its interaction, a function of a form and the database that returns a page.
# `$error_page` makes one of a fault.
sub new ( $class, $routes, $error_page ) {
    return bless { routes => $routes, error_page => $error_page }, $class;
}

sub application ($self) {
    return sub ($env) {
        my $page = eval { $self->_page($env) };
        return _response( 200, $page ) if defined $page;
        my $fault = _fault( $@, $env );
        return _response( $fault->status, $self->{error_page}->($fault), $fault->headers );
    };
}

sub _page ( $self, $env ) {
    my ( $path, $query ) = split /[?]/, $env->{REQUEST_URI}, 2;
    my $method = $env->{REQUEST_METHOD};
    my $route  = $self->{routes}{$path} or die Common::Fault->unknown_page;
    die Common::Fault->wrong_method( $route->{method} ) if $method ne $route->{method};
    my $form = Common::Form->decode( $method eq 'POST' ? _body( $env->{'psgi.input'} ) : $query // q{} );
    return $route->{interaction}->( $form, Common::Database->new );
}

sub _body ($input) {
    my $body = q{};
    while ( length $body <= LONGEST_BODY ) {
        $input->read( my $more, LONGEST_BODY + 1 - length $body ) or return $body;
        $body .= $more;
    }
    die Common::Fault->body_too_long;
}

sub _fault ( $error, $env ) {
    return $error if blessed $error && $error->isa('Common::Fault');
    $env->{'psgi.errors'}->print($error);
    return Common::Fault->internal;
}

sub _response ( $status, $page, @headers ) {
    utf8::encode($page);
    return [
        $status, [ 'Content-Type' => 'text/html; charset=utf-8', 'Content-Length' => length $page, @headers ],
        [$page],
    ];
}

1;
