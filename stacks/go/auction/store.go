package main

import (
	"context"

	"github.com/shopspring/decimal"
	"tierbench/stacks/go/common"
)

// store keeps the rows. What isn't there is an error that common.IsMissing knows.
type store interface {
	categories(context.Context) ([]Category, error)
	regions(context.Context) ([]Region, error)
	category(ctx context.Context, id int64) (Category, error)
	region(ctx context.Context, id int64) (Region, error)

	// credentials returns a user's id and password.
	credentials(ctx context.Context, nickname string) (User, error)
	// profile returns what others see of a user.
	profile(ctx context.Context, id int64) (User, error)
	commentsAbout(ctx context.Context, user int64) ([]Comment, error)
	affairs(ctx context.Context, user int64) (Affairs, error)

	// openItems returns a part of a category's open items, those that end first on top. Region 0 is all.
	openItems(ctx context.Context, category, region, skip, most int64) ([]Item, error)
	itemForSale(ctx context.Context, id int64) (Item, error)
	itemOrOld(ctx context.Context, id int64) (Item, error)
	// itemTitle returns the name of an item, however old; itemTopic its seller as well.
	itemTitle(ctx context.Context, id int64) (Item, error)
	itemTopic(ctx context.Context, id int64) (Item, error)
	// addSeller adds the seller's nickname to an item.
	addSeller(context.Context, *Item) error
	bidsOn(ctx context.Context, item int64) ([]Bid, error)

	isTaken(ctx context.Context, nickname string) (bool, error)
	// register stores a user. If the nickname was taken meanwhile, common.IsDuplicate knows the error.
	register(context.Context, *User) error
	// sell stores an item, and takes the fee from its seller.
	sell(ctx context.Context, item *Item, days int64) error
	// comment stores a comment, and adds to the rating of whom it is about.
	comment(context.Context, *Comment) error

	// atomically does all or nothing. The rest is for use within.
	atomically(context.Context, func(store) error) error
	lockForBid(ctx context.Context, item int64) (Item, error)
	lockForPurchase(ctx context.Context, item int64) (Item, error)
	// leader returns the bid of who would pay most, or nil.
	leader(ctx context.Context, item int64) (*Bid, error)
	addBid(context.Context, *Bid) error
	raise(ctx context.Context, item int64, bids int, price decimal.Decimal) error
	addPurchase(context.Context, *Purchase) error
	// take takes copies from an item; with the last one its auction ends.
	take(ctx context.Context, item Item, copies int64) error
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
