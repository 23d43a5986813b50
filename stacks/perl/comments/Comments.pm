package Comments;

# The comment page: which addresses it has, and what each of them does.

use v5.36;

use Comments::Pages;
use Common::Site;

my %ROUTES = (
    '/comments/StoreComment' => { method => 'POST', interaction => \&store_comment },
    '/comments/ListComments' => { method => 'GET',  interaction => \&list_comments },
);

# The application as PSGI has it: a function of a request's environment.
sub application ($class) {
    return Common::Site->new( \%ROUTES, \&Comments::Pages::error )->application;
}

# Records a comment.
sub store_comment ( $form, $database ) {
    my $name    = $form->text( 'name', 50 );
    my $email   = $form->email( 'email', 80 );
    my $comment = $form->text( 'comment', 2048 );
    my $id      = $database->insert( 'INSERT INTO comments (name, email, comment) VALUES (?, ?, ?)',
        $name, $email, $comment );
    return Comments::Pages::store_comment( $id, $name, $comment );
}

# All comments.
sub list_comments ( $form, $database ) {
    return Comments::Pages::list_comments( $database->rows('SELECT * FROM comments ORDER BY id') );
}

1;
