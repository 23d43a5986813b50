package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"net/url"

	"github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// comment is a row.
type comment struct {
	ID                int64
	Name, Email, Text string
}

// comments is the table of comments.
type comments struct {
	db   *sql.DB
	list *sql.Stmt
	// insert stores a row and returns its id, each database in its own way.
	insert func(ctx context.Context, values ...any) (int64, error)
}

const (
	listSQL   = "SELECT * FROM comments ORDER BY id"
	insertSQL = "INSERT INTO comments (name, email, comment) VALUES "
)

// openComments connects to the database. Statements are prepared once for each connection; database/sql prepares them again
// on those that replace a broken one.
func openComments(ctx context.Context, s settings) (*comments, error) {
	db, err := openDatabase(s)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(s.pool)
	db.SetMaxIdleConns(s.pool)
	c := &comments{db: db}
	if err := c.prepare(ctx, s.service); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return c, nil
}

func openDatabase(s settings) (*sql.DB, error) {
	address := net.JoinHostPort(s.host, s.port)
	switch s.service {
	case "mariadb":
		config := mysql.NewConfig()
		config.Net, config.Addr = "tcp", address
		config.DBName, config.User, config.Passwd = s.name, s.user, s.password
		connector, err := mysql.NewConnector(config)
		if err != nil {
			return nil, err
		}
		return sql.OpenDB(connector), nil
	case "postgresql":
		place := url.URL{
			Scheme:   "postgres",
			User:     url.UserPassword(s.user, s.password),
			Host:     address,
			Path:     s.name,
			RawQuery: "sslmode=disable",
		}
		config, err := pgx.ParseConfig(place.String())
		if err != nil {
			return nil, err
		}
		return stdlib.OpenDB(*config), nil
	}
	return nil, fmt.Errorf("TIERBENCH_DB_SERVICE is %q, which is neither mariadb nor postgresql", s.service)
}

func (c *comments) prepare(ctx context.Context, service string) error {
	var err error
	if c.list, err = c.db.PrepareContext(ctx, listSQL); err != nil {
		return err
	}
	if service == "postgresql" {
		insert, err := c.db.PrepareContext(ctx, insertSQL+"($1, $2, $3) RETURNING id")
		c.insert = func(ctx context.Context, values ...any) (id int64, err error) {
			err = insert.QueryRowContext(ctx, values...).Scan(&id)
			return id, err
		}
		return err
	}
	insert, err := c.db.PrepareContext(ctx, insertSQL+"(?, ?, ?)")
	c.insert = func(ctx context.Context, values ...any) (int64, error) {
		result, err := insert.ExecContext(ctx, values...)
		if err != nil {
			return 0, err
		}
		return result.LastInsertId()
	}
	return err
}

// add stores a comment and returns its id.
func (c *comments) add(ctx context.Context, one comment) (int64, error) {
	id, err := c.insert(ctx, one.Name, one.Email, one.Text)
	if err != nil {
		return 0, fmt.Errorf("storing a comment: %w", err)
	}
	return id, nil
}

// all returns all comments in the order of their ids.
func (c *comments) all(ctx context.Context) ([]comment, error) {
	all, err := c.query(ctx)
	if err != nil {
		return nil, fmt.Errorf("listing the comments: %w", err)
	}
	return all, nil
}

func (c *comments) query(ctx context.Context) ([]comment, error) {
	rows, err := c.list.QueryContext(ctx)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []comment
	for rows.Next() {
		var one comment
		if err := rows.Scan(&one.ID, &one.Name, &one.Email, &one.Text); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

func (c *comments) close() error {
	return c.db.Close()
}
