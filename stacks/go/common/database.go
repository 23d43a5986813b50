// Package common has what all applications share: the server, forms, pages, and the way to the database.
package common

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	gormmysql "gorm.io/driver/mysql"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

const (
	mariaDB    = "mariadb"
	postgreSQL = "postgresql"
)

// connectionLife is what the MySQL driver recommends, before a server or a network in between closes a connection.
const connectionLife = 3 * time.Minute

// OpenDatabase opens a pool of connections.
func OpenDatabase(s Settings) (*sql.DB, error) {
	db, err := open(s)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(s.Pool)
	db.SetMaxIdleConns(s.Pool)
	db.SetConnMaxLifetime(connectionLife)
	return db, nil
}

func open(s Settings) (*sql.DB, error) {
	address := net.JoinHostPort(s.Host, s.Port)
	switch s.Service {
	case mariaDB:
		config := mysql.NewConfig()
		config.Net, config.Addr = "tcp", address
		config.DBName, config.User, config.Passwd = s.Name, s.User, s.Password
		config.ParseTime, config.Loc = true, time.UTC
		connector, err := mysql.NewConnector(config)
		if err != nil {
			return nil, err
		}
		return sql.OpenDB(connector), nil
	case postgreSQL:
		place := url.URL{
			Scheme:   "postgres",
			User:     url.UserPassword(s.User, s.Password),
			Host:     address,
			Path:     s.Name,
			RawQuery: "sslmode=disable",
		}
		config, err := pgx.ParseConfig(place.String())
		if err != nil {
			return nil, err
		}
		return stdlib.OpenDB(*config), nil
	}
	return nil, fmt.Errorf("TIERBENCH_DB_SERVICE is %q, which is neither mariadb nor postgresql", s.Service)
}

// OpenGORM puts GORM on the pool, with the settings that its chapter on performance names.
func OpenGORM(s Settings, db *sql.DB) (*gorm.DB, error) {
	var dialect gorm.Dialector = postgres.New(postgres.Config{Conn: db})
	if s.Service == mariaDB {
		dialect = gormmysql.New(gormmysql.Config{Conn: db})
	}
	return gorm.Open(dialect, &gorm.Config{
		PrepareStmt:            true,
		SkipDefaultTransaction: true,
		TranslateError:         true,
		// A row that isn't there is an answer, and a slow statement is what measurements are about.
		Logger: logger.New(log.Default(), logger.Config{LogLevel: logger.Error, IgnoreRecordNotFoundError: true}),
	})
}

// Queries are all statements of an application.
type Queries struct{ texts []string }

// Query is one of them.
type Query int

// Add adds a statement with a question mark for each value.
func (q *Queries) Add(text string) Query {
	q.texts = append(q.texts, text)
	return Query(len(q.texts) - 1)
}

// AddInsert adds a statement that inserts a row with an id of the database.
func (q *Queries) AddInsert(text string) Query {
	return q.Add(text + returningID)
}

const returningID = " RETURNING id"

// Second stands in a statement for the second in which it begins, by the database's clock.
const Second = "{second}"

// SecondIn is how a database, or the GORM dialect of this name, says it. PostgreSQL's NOW() is when the transaction began.
func SecondIn(service string) string {
	if service == mariaDB || service == "mysql" {
		return "NOW()"
	}
	return "DATE_TRUNC('second', STATEMENT_TIMESTAMP())"
}

// Session sends prepared statements, in a transaction if it is that of one.
type Session struct {
	db       *sql.DB
	tx       *sql.Tx
	prepared []*sql.Stmt
	// returnsID tells whether an INSERT returns the id as a row does.
	returnsID bool
}

// NewSession prepares all statements, so that no transaction has to wait for a second connection. database/sql prepares
// them again on each other connection.
func NewSession(ctx context.Context, s Settings, db *sql.DB, queries *Queries) (*Session, error) {
	session := &Session{db: db, returnsID: s.Service == postgreSQL}
	for _, text := range queries.texts {
		text = strings.ReplaceAll(text, Second, SecondIn(s.Service))
		if session.returnsID {
			text = numbered(text)
		} else {
			text = strings.TrimSuffix(text, returningID)
		}
		statement, err := db.PrepareContext(ctx, text)
		if err != nil {
			return nil, fmt.Errorf("preparing %s: %w", text, err)
		}
		session.prepared = append(session.prepared, statement)
	}
	return session, nil
}

// numbered writes placeholders as PostgreSQL does.
func numbered(text string) string {
	parts := strings.Split(text, "?")
	for i := range parts[1:] {
		parts[i] += fmt.Sprintf("$%d", i+1)
	}
	return strings.Join(parts, "")
}

func (s *Session) statement(ctx context.Context, q Query) *sql.Stmt {
	if s.tx == nil {
		return s.prepared[q]
	}
	return s.tx.StmtContext(ctx, s.prepared[q])
}

// Atomically commits what a function does, unless it fails.
func (s *Session) Atomically(ctx context.Context, do func(*Session) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	// Nothing is left to roll back after a commit.
	defer tx.Rollback()
	inside := *s
	inside.tx = tx
	if err := do(&inside); err != nil {
		return err
	}
	return tx.Commit()
}

// Exec changes rows.
func (s *Session) Exec(ctx context.Context, q Query, values ...any) error {
	_, err := s.statement(ctx, q).ExecContext(ctx, values...)
	return err
}

// Insert returns the id of a new row.
func (s *Session) Insert(ctx context.Context, q Query, values ...any) (id int64, err error) {
	if s.returnsID {
		err = s.statement(ctx, q).QueryRowContext(ctx, values...).Scan(&id)
		return id, err
	}
	result, err := s.statement(ctx, q).ExecContext(ctx, values...)
	if err != nil {
		return 0, err
	}
	return result.LastInsertId()
}

// One reads a row into these variables. Without a row, it returns sql.ErrNoRows.
func (s *Session) One(ctx context.Context, q Query, into []any, values ...any) error {
	return s.statement(ctx, q).QueryRowContext(ctx, values...).Scan(into...)
}

// All reads all rows; columns returns the variables of one.
func All[T any](ctx context.Context, s *Session, q Query, columns func(*T) []any, values ...any) ([]T, error) {
	rows, err := s.statement(ctx, q).QueryContext(ctx, values...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		var one T
		if err := rows.Scan(columns(&one)...); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// IsMissing tells whether there is no such row.
func IsMissing(err error) bool {
	return errors.Is(err, sql.ErrNoRows) || errors.Is(err, gorm.ErrRecordNotFound)
}

const (
	duplicateInMariaDB    = 1062
	duplicateInPostgreSQL = "23505"
)

// IsDuplicate tells whether a unique key refused a row.
func IsDuplicate(err error) bool {
	if refused := (*mysql.MySQLError)(nil); errors.As(err, &refused) {
		return refused.Number == duplicateInMariaDB
	}
	if refused := (*pgconn.PgError)(nil); errors.As(err, &refused) {
		return refused.Code == duplicateInPostgreSQL
	}
	return errors.Is(err, gorm.ErrDuplicatedKey)
}
