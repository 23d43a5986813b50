package Common::Database;

# The database, over one connection of this process. How it is run decides how long that lives: for a request (CGI), or for
# all that the process answers (FastCGI, mod_perl).
#
# A request takes the connection at its first statement. DBI then asks the server whether it still is there, which costs a
# round trip, and makes a new connection if not: the server may have been stopped and started in the meantime. Nothing
# that a request does stays with the connection but the statements that it has prepared.

use v5.36;

use DBI;

sub new ($class) {
    return bless {}, $class;
}

# The rows that a query finds, each as a hash of its columns.
sub rows ( $self, $query, @values ) {
    my $statement = $self->_execute( $query, @values );
    return $statement->fetchall_arrayref( {} );
}

# Inserts a row and returns the id that it was given.
sub insert ( $self, $statement, @values ) {
    if ( _is_postgresql() ) {
        my $inserted = $self->_execute( "$statement RETURNING id", @values );
        my ($id) = $inserted->fetchrow_array;
        $inserted->finish;
        return $id;
    }
    return $self->_execute( $statement, @values )->{mysql_insertid};
}

sub _execute ( $self, $text, @values ) {
    my $statement = $self->_connection->prepare_cached($text);
    $statement->execute(@values);
    return $statement;
}

sub _connection ($self) {
    return $self->{connection} //= _is_postgresql() ? _connect_postgresql() : _connect_mariadb();
}

sub _is_postgresql () {
    return $ENV{TIERBENCH_DB_SERVICE} eq 'postgresql';
}

sub _connect_mariadb () {
    return _connect(
        'mysql', 'database',
        mysql_enable_utf8mb4                  => 1,
        mysql_server_prepare                  => _prepares(),
        mysql_server_prepare_disable_fallback => _prepares(),

        # Under CGI and mod_perl it would otherwise be on, and lose the prepared statements without a word.
        mysql_auto_reconnect => 0,
    );
}

sub _connect_postgresql () {
    return _connect( 'Pg', 'dbname', pg_server_prepare => _prepares() );
}

sub _connect ( $driver, $database, %attributes ) {
    my $place = join q{;}, "$database=$ENV{TIERBENCH_DB_NAME}", "host=$ENV{TIERBENCH_DB_HOST}",
        "port=$ENV{TIERBENCH_DB_PORT}";
    return DBI->connect_cached(
        "dbi:$driver:$place", $ENV{TIERBENCH_DB_USER},
        $ENV{TIERBENCH_DB_PASSWORD},
        { AutoCommit => 1, RaiseError => 1, PrintError => 0, %attributes }
    );
}

sub _prepares () {
    return $ENV{TIERBENCH_FACTOR_PROTOCOL} eq 'prepared' ? 1 : 0;
}

1;
