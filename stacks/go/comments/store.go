package main

import (
	"context"

	"gorm.io/gorm"
	"tierbench/stacks/go/common"
)

// Comment is a row.
type Comment struct {
	ID                   int64
	Name, Email, Comment string
}

// store keeps the comments.
type store interface {
	// add stores a comment and sets its id.
	add(context.Context, *Comment) error
	// all returns all comments in the order of their ids.
	all(context.Context) ([]Comment, error)
}

func openStore(ctx context.Context, s common.Settings) (store, error) {
	db, err := common.OpenDatabase(s)
	if err != nil {
		return nil, err
	}
	if s.Access == "gorm" {
		orm, err := common.OpenGORM(s, db)
		return gormStore{orm}, err
	}
	session, err := common.NewSession(ctx, s, db, &queries)
	return sqlStore{session}, err
}

var (
	queries common.Queries
	insert  = queries.AddInsert("INSERT INTO comments (name, email, comment) VALUES (?, ?, ?)")
	list    = queries.Add("SELECT * FROM comments ORDER BY id")
)

type sqlStore struct{ session *common.Session }

func (s sqlStore) add(ctx context.Context, c *Comment) (err error) {
	c.ID, err = s.session.Insert(ctx, insert, c.Name, c.Email, c.Comment)
	return err
}

func (s sqlStore) all(ctx context.Context) ([]Comment, error) {
	return common.All(ctx, s.session, list, func(c *Comment) []any {
		return []any{&c.ID, &c.Name, &c.Email, &c.Comment}
	})
}

type gormStore struct{ db *gorm.DB }

func (s gormStore) add(ctx context.Context, c *Comment) error {
	return s.db.WithContext(ctx).Create(c).Error
}

func (s gormStore) all(ctx context.Context) (all []Comment, err error) {
	err = s.db.WithContext(ctx).Order("id").Find(&all).Error
	return all, err
}
