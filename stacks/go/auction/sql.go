package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/shopspring/decimal"
	"tierbench/stacks/go/common"
)

const (
	itemFacts = `SELECT name, description, initial_price, quantity, buy_now, nb_of_bids, max_bid, start_date, end_date, seller,
		category, end_date >= NOW() AS open FROM `
	inCategory = `SELECT id, name, initial_price, max_bid, nb_of_bids, buy_now, end_date FROM items
		WHERE category = ? AND end_date >= NOW() ORDER BY end_date, id `
	inRegion = `SELECT i.id, i.name, i.initial_price, i.max_bid, i.nb_of_bids, i.buy_now, i.end_date
		FROM items i JOIN users u ON u.id = i.seller
		WHERE i.category = ? AND u.region = ? AND i.end_date >= NOW() ORDER BY i.end_date, i.id `
)

var (
	queries common.Queries

	allCategories = queries.Add("SELECT id, name FROM categories ORDER BY id")
	allRegions    = queries.Add("SELECT id, name FROM regions ORDER BY id")
	categoryName  = queries.Add("SELECT name FROM categories WHERE id = ?")
	regionName    = queries.Add("SELECT name FROM regions WHERE id = ?")

	userPassword = queries.Add("SELECT id, password FROM users WHERE nickname = ?")
	userProfile  = queries.Add("SELECT nickname, rating, creation_date FROM users WHERE id = ?")
	userNickname = queries.Add("SELECT nickname FROM users WHERE id = ?")
	userNamed    = queries.Add("SELECT id FROM users WHERE nickname = ?")
	userAdded    = queries.Add("SELECT creation_date FROM users WHERE id = ?")
	addUser      = queries.AddInsert(`INSERT INTO users (firstname, lastname, nickname, password, email, rating, balance,
		creation_date, region) VALUES (?, ?, ?, ?, ?, 0, 0, ` + common.Second + `, ?)`)
	userComments = queries.Add(`SELECT c.from_user_id, u.nickname, c.item_id, c.rating, c.date, c.comment
		FROM comments c JOIN users u ON u.id = c.from_user_id WHERE c.to_user_id = ? ORDER BY c.date DESC, c.id DESC`)

	itemForSale = queries.Add(itemFacts + "items WHERE id = ?")
	oldItem     = queries.Add(itemFacts + "old_items WHERE id = ?")
	itemTitle   = queries.Add("SELECT name FROM items WHERE id = ?")
	oldTitle    = queries.Add("SELECT name FROM old_items WHERE id = ?")
	itemTopic   = queries.Add("SELECT name, seller FROM items WHERE id = ?")
	oldTopic    = queries.Add("SELECT name, seller FROM old_items WHERE id = ?")
	itemBids    = queries.Add(`SELECT b.user_id, u.nickname, b.bid, b.qty, b.date FROM bids b JOIN users u ON u.id = b.user_id
		WHERE b.item_id = ? ORDER BY b.date DESC, b.id DESC`)
	openInCategory = queries.Add(inCategory + "LIMIT ? OFFSET ?")
	openInRegion   = queries.Add(inRegion + "LIMIT ? OFFSET ?")

	// addItem has a statement for each number of days, because an interval is a literal.
	addItem = func() (all [8]common.Query) {
		for days := range all {
			all[days] = queries.AddInsert(`INSERT INTO items (name, description, initial_price, quantity, reserve_price, buy_now,
				nb_of_bids, start_date, end_date, seller, category)
				VALUES (?, ?, ?, ?, ?, ?, 0, ` + common.Second + ", " + common.Second + fmt.Sprintf(" + INTERVAL '%d' DAY, ?, ?)", days))
		}
		return all
	}()
	takeFee   = queries.Add("UPDATE users SET balance = balance - 1.00 WHERE id = ?")
	itemAdded = queries.Add("SELECT start_date, end_date FROM items WHERE id = ?")

	addComment = queries.AddInsert(`INSERT INTO comments (from_user_id, to_user_id, item_id, rating, date, comment)
		VALUES (?, ?, ?, ?, ` + common.Second + `, ?)`)
	rateUser = queries.Add("UPDATE users SET rating = rating + ? WHERE id = ?")

	lockForBid = queries.Add(`SELECT initial_price, quantity, max_bid, seller, end_date >= ` + common.Second + ` AS open FROM items
		WHERE id = ? FOR UPDATE`)
	lockForPurchase = queries.Add(`SELECT initial_price, quantity, buy_now, max_bid, seller,
		end_date >= ` + common.Second + ` AS open FROM items WHERE id = ? FOR UPDATE`)
	leadingBid = queries.Add("SELECT user_id, qty, max_bid FROM bids WHERE item_id = ? ORDER BY max_bid DESC, id LIMIT 1")
	addBid     = queries.AddInsert("INSERT INTO bids (user_id, item_id, qty, bid, max_bid, date) VALUES (?, ?, ?, ?, ?, " + common.Second + ")")
	raiseItem  = queries.Add("UPDATE items SET nb_of_bids = nb_of_bids + ?, max_bid = ? WHERE id = ?")

	addPurchase = queries.AddInsert("INSERT INTO buy_now (buyer_id, item_id, qty, date) VALUES (?, ?, ?, " + common.Second + ")")
	takeCopies  = queries.Add("UPDATE items SET quantity = quantity - ? WHERE id = ?")
	takeAll     = queries.Add("UPDATE items SET quantity = 0, end_date = " + common.Second + " - INTERVAL '1' SECOND WHERE id = ?")

	ownUser = queries.Add(`SELECT u.firstname, u.lastname, u.nickname, u.email, u.rating, u.balance, u.creation_date,
		r.name AS region FROM users u JOIN regions r ON r.id = u.region WHERE u.id = ?`)
	ownBids = queries.Add(`SELECT i.id, i.name, i.initial_price, i.max_bid, i.nb_of_bids, i.end_date, MAX(b.bid) AS own_bid,
		MAX(b.max_bid) AS own_most FROM bids b JOIN items i ON i.id = b.item_id WHERE b.user_id = ? AND i.end_date >= NOW()
		GROUP BY i.id, i.name, i.initial_price, i.max_bid, i.nb_of_bids, i.end_date ORDER BY i.end_date, i.id`)
	ownWon = queries.Add(`SELECT i.id, i.name, i.max_bid, i.end_date, i.seller, u.nickname
		FROM items i JOIN users u ON u.id = i.seller
		WHERE i.id IN (SELECT item_id FROM bids WHERE user_id = ?) AND i.end_date < NOW() AND i.quantity > 0
		AND i.max_bid >= i.reserve_price
		AND (SELECT b.user_id FROM bids b WHERE b.item_id = i.id ORDER BY b.max_bid DESC, b.id LIMIT 1) = ?
		ORDER BY i.end_date DESC, i.id DESC`)
	ownBought = queries.Add(`SELECT p.id, p.item_id, p.qty, p.date, i.name, i.buy_now
		FROM buy_now p JOIN items i ON i.id = p.item_id
		WHERE p.buyer_id = ? AND p.date >= NOW() - INTERVAL '30' DAY
		UNION ALL
		SELECT p.id, p.item_id, p.qty, p.date, i.name, i.buy_now FROM buy_now p JOIN old_items i ON i.id = p.item_id
		WHERE p.buyer_id = ? AND p.date >= NOW() - INTERVAL '30' DAY
		ORDER BY date DESC, id DESC`)
	ownOpen = queries.Add(`SELECT id, name, initial_price, quantity, reserve_price, buy_now, nb_of_bids, max_bid, end_date
		FROM items WHERE seller = ? AND end_date >= NOW() ORDER BY end_date, id`)
	ownClosed = queries.Add(`SELECT id, name, quantity, reserve_price, max_bid, end_date FROM items
		WHERE seller = ? AND end_date < NOW() AND end_date >= NOW() - INTERVAL '30' DAY
		UNION ALL
		SELECT id, name, quantity, reserve_price, max_bid, end_date FROM old_items
		WHERE seller = ? AND end_date >= NOW() - INTERVAL '30' DAY
		ORDER BY end_date DESC, id DESC`)
)

// sqlStore sends the statements of the auction's specification.
type sqlStore struct{ *common.Session }

func (s sqlStore) categories(ctx context.Context) ([]Category, error) {
	return common.All(ctx, s.Session, allCategories, func(c *Category) []any { return []any{&c.ID, &c.Name} })
}

func (s sqlStore) regions(ctx context.Context) ([]Region, error) {
	return common.All(ctx, s.Session, allRegions, func(r *Region) []any { return []any{&r.ID, &r.Name} })
}

func (s sqlStore) category(ctx context.Context, id int64) (Category, error) {
	c := Category{ID: id}
	err := s.One(ctx, categoryName, []any{&c.Name}, id)
	return c, err
}

func (s sqlStore) region(ctx context.Context, id int64) (Region, error) {
	r := Region{ID: id}
	err := s.One(ctx, regionName, []any{&r.Name}, id)
	return r, err
}

func (s sqlStore) credentials(ctx context.Context, nickname string) (u User, err error) {
	err = s.One(ctx, userPassword, []any{&u.ID, &u.Password}, nickname)
	return u, err
}

func (s sqlStore) profile(ctx context.Context, id int64) (User, error) {
	u := User{ID: id}
	err := s.One(ctx, userProfile, []any{&u.Nickname, &u.Rating, &u.CreationDate}, id)
	return u, err
}

func (s sqlStore) commentsAbout(ctx context.Context, user int64) ([]Comment, error) {
	return common.All(ctx, s.Session, userComments, func(c *Comment) []any {
		return []any{&c.FromUserID, &c.Author.Nickname, &c.ItemID, &c.Rating, &c.Date, &c.Comment}
	}, user)
}

func (s sqlStore) openItems(ctx context.Context, category, region, skip, most int64) ([]Item, error) {
	columns := func(i *Item) []any {
		return []any{&i.ID, &i.Name, &i.InitialPrice, &i.MaxBid, &i.NbOfBids, &i.BuyNow, &i.EndDate}
	}
	if region == 0 {
		return common.All(ctx, s.Session, openInCategory, columns, category, most, skip)
	}
	return common.All(ctx, s.Session, openInRegion, columns, category, region, most, skip)
}

func (s sqlStore) itemForSale(ctx context.Context, id int64) (Item, error) {
	return s.itemBy(ctx, itemForSale, id)
}

func (s sqlStore) itemOrOld(ctx context.Context, id int64) (Item, error) {
	item, err := s.itemBy(ctx, itemForSale, id)
	if common.IsMissing(err) {
		return s.itemBy(ctx, oldItem, id)
	}
	return item, err
}

func (s sqlStore) itemBy(ctx context.Context, q common.Query, id int64) (Item, error) {
	i := Item{ID: id}
	err := s.One(ctx, q, []any{&i.Name, &i.Description, &i.InitialPrice, &i.Quantity, &i.BuyNow, &i.NbOfBids, &i.MaxBid,
		&i.StartDate, &i.EndDate, &i.SellerID, &i.CategoryID, &i.Open}, id)
	return i, err
}

func (s sqlStore) itemTitle(ctx context.Context, id int64) (Item, error) {
	i := Item{ID: id}
	err := s.One(ctx, itemTitle, []any{&i.Name}, id)
	if common.IsMissing(err) {
		err = s.One(ctx, oldTitle, []any{&i.Name}, id)
	}
	return i, err
}

func (s sqlStore) itemTopic(ctx context.Context, id int64) (Item, error) {
	i := Item{ID: id}
	err := s.One(ctx, itemTopic, []any{&i.Name, &i.SellerID}, id)
	if common.IsMissing(err) {
		err = s.One(ctx, oldTopic, []any{&i.Name, &i.SellerID}, id)
	}
	return i, err
}

func (s sqlStore) addSeller(ctx context.Context, i *Item) error {
	return s.One(ctx, userNickname, []any{&i.Seller.Nickname}, i.SellerID)
}

func (s sqlStore) bidsOn(ctx context.Context, item int64) ([]Bid, error) {
	return common.All(ctx, s.Session, itemBids, func(b *Bid) []any {
		return []any{&b.UserID, &b.User.Nickname, &b.Bid, &b.Qty, &b.Date}
	}, item)
}

func (s sqlStore) isTaken(ctx context.Context, nickname string) (bool, error) {
	var id int64
	err := s.One(ctx, userNamed, []any{&id}, nickname)
	if common.IsMissing(err) {
		return false, nil
	}
	return true, err
}

func (s sqlStore) register(ctx context.Context, u *User) (err error) {
	u.ID, err = s.Insert(ctx, addUser, u.Firstname, u.Lastname, u.Nickname, u.Password, u.Email, u.RegionID)
	if err != nil {
		return err
	}
	return s.One(ctx, userAdded, []any{&u.CreationDate}, u.ID)
}

func (s sqlStore) sell(ctx context.Context, i *Item, days int64) error {
	err := s.Atomically(ctx, func(tx *common.Session) (err error) {
		i.ID, err = tx.Insert(ctx, addItem[days], i.Name, i.Description, i.InitialPrice, i.Quantity, i.ReservePrice, i.BuyNow,
			i.SellerID, i.CategoryID)
		if err != nil {
			return err
		}
		return tx.Exec(ctx, takeFee, i.SellerID)
	})
	if err != nil {
		return err
	}
	return s.One(ctx, itemAdded, []any{&i.StartDate, &i.EndDate}, i.ID)
}

func (s sqlStore) comment(ctx context.Context, c *Comment) error {
	return s.Atomically(ctx, func(tx *common.Session) (err error) {
		c.ID, err = tx.Insert(ctx, addComment, c.FromUserID, c.ToUserID, c.ItemID, c.Rating, c.Comment)
		if err != nil {
			return err
		}
		return tx.Exec(ctx, rateUser, c.Rating, c.ToUserID)
	})
}

func (s sqlStore) atomically(ctx context.Context, do func(store) error) error {
	return s.Atomically(ctx, func(tx *common.Session) error { return do(sqlStore{tx}) })
}

func (s sqlStore) lockForBid(ctx context.Context, item int64) (Item, error) {
	i := Item{ID: item}
	err := s.One(ctx, lockForBid, []any{&i.InitialPrice, &i.Quantity, &i.MaxBid, &i.SellerID, &i.Open}, item)
	return i, err
}

func (s sqlStore) lockForPurchase(ctx context.Context, item int64) (Item, error) {
	i := Item{ID: item}
	err := s.One(ctx, lockForPurchase, []any{&i.InitialPrice, &i.Quantity, &i.BuyNow, &i.MaxBid, &i.SellerID, &i.Open}, item)
	return i, err
}

func (s sqlStore) leader(ctx context.Context, item int64) (*Bid, error) {
	b := Bid{ItemID: item}
	err := s.One(ctx, leadingBid, []any{&b.UserID, &b.Qty, &b.MaxBid}, item)
	if common.IsMissing(err) {
		return nil, nil
	}
	return &b, err
}

func (s sqlStore) addBid(ctx context.Context, b *Bid) (err error) {
	b.ID, err = s.Insert(ctx, addBid, b.UserID, b.ItemID, b.Qty, b.Bid, b.MaxBid)
	return err
}

func (s sqlStore) raise(ctx context.Context, item int64, bids int, price decimal.Decimal) error {
	return s.Exec(ctx, raiseItem, bids, price, item)
}

func (s sqlStore) addPurchase(ctx context.Context, p *Purchase) (err error) {
	p.ID, err = s.Insert(ctx, addPurchase, p.BuyerID, p.ItemID, p.Qty)
	return err
}

func (s sqlStore) take(ctx context.Context, item Item, copies int64) error {
	if copies == item.Quantity {
		return s.Exec(ctx, takeAll, item.ID)
	}
	return s.Exec(ctx, takeCopies, copies, item.ID)
}

func (s sqlStore) affairs(ctx context.Context, user int64) (Affairs, error) {
	a := Affairs{User: User{ID: user}}
	u := &a.User
	errs := []error{s.One(ctx, ownUser, []any{&u.Firstname, &u.Lastname, &u.Nickname, &u.Email, &u.Rating, &u.Balance,
		&u.CreationDate, &u.Region.Name}, user)}
	keep := func(err error) { errs = append(errs, err) }
	var err error
	a.Bids, err = common.All(ctx, s.Session, ownBids, func(b *OwnBid) []any {
		return []any{&b.ID, &b.Name, &b.InitialPrice, &b.MaxBid, &b.NbOfBids, &b.EndDate, &b.OwnBid, &b.OwnMost}
	}, user)
	keep(err)
	a.Won, err = common.All(ctx, s.Session, ownWon, func(i *Item) []any {
		return []any{&i.ID, &i.Name, &i.MaxBid, &i.EndDate, &i.SellerID, &i.Seller.Nickname}
	}, user, user)
	keep(err)
	a.Bought, err = common.All(ctx, s.Session, ownBought, func(p *Purchase) []any {
		return []any{&p.ID, &p.ItemID, &p.Qty, &p.Date, &p.Item.Name, &p.Item.BuyNow}
	}, user, user)
	keep(err)
	a.Selling, err = common.All(ctx, s.Session, ownOpen, func(i *Item) []any {
		return []any{&i.ID, &i.Name, &i.InitialPrice, &i.Quantity, &i.ReservePrice, &i.BuyNow, &i.NbOfBids, &i.MaxBid, &i.EndDate}
	}, user)
	keep(err)
	a.Sold, err = common.All(ctx, s.Session, ownClosed, func(i *Item) []any {
		return []any{&i.ID, &i.Name, &i.Quantity, &i.ReservePrice, &i.MaxBid, &i.EndDate}
	}, user, user)
	keep(err)
	a.Comments, err = s.commentsAbout(ctx, user)
	keep(err)
	return a, errors.Join(errs...)
}
