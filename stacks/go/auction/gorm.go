package main

import (
	"cmp"
	"context"
	"slices"

	"github.com/shopspring/decimal"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"tierbench/stacks/go/common"
)

const (
	oldItems  = "old_items"
	isOpen    = "end_date >= NOW()"
	lastMonth = "NOW() - INTERVAL '30' DAY"
)

// gormStore leaves the statements to GORM.
type gormStore struct{ db *gorm.DB }

// first reads the row with an id.
func first[T any](db *gorm.DB, id int64) (row T, err error) {
	err = db.First(&row, id).Error
	return row, err
}

// find reads all rows.
func find[T any](db *gorm.DB) (rows []T, err error) {
	err = db.Find(&rows).Error
	return rows, err
}

func (s gormStore) with(ctx context.Context) *gorm.DB {
	return s.db.WithContext(ctx)
}

func (s gormStore) categories(ctx context.Context) ([]Category, error) {
	return find[Category](s.with(ctx).Order("id"))
}

func (s gormStore) regions(ctx context.Context) ([]Region, error) {
	return find[Region](s.with(ctx).Order("id"))
}

func (s gormStore) category(ctx context.Context, id int64) (Category, error) {
	return first[Category](s.with(ctx), id)
}

func (s gormStore) region(ctx context.Context, id int64) (Region, error) {
	return first[Region](s.with(ctx), id)
}

func (s gormStore) credentials(ctx context.Context, nickname string) (u User, err error) {
	err = s.with(ctx).Where("nickname = ?", nickname).Take(&u).Error
	return u, err
}

func (s gormStore) profile(ctx context.Context, id int64) (User, error) {
	return first[User](s.with(ctx), id)
}

func (s gormStore) commentsAbout(ctx context.Context, user int64) ([]Comment, error) {
	return find[Comment](s.with(ctx).Joins("Author").Where("to_user_id = ?", user).Order("date DESC, comments.id DESC"))
}

func (s gormStore) openItems(ctx context.Context, category, region, skip, most int64) ([]Item, error) {
	db := s.with(ctx).Where("category = ?", category).Where(isOpen)
	if region != 0 {
		db = db.Where("seller IN (?)", s.db.Model(&User{}).Select("id").Where("region = ?", region))
	}
	return find[Item](db.Order("end_date, id").Offset(int(skip)).Limit(int(most)))
}

// withOpen has the database say whether items are open.
func withOpen(db *gorm.DB) *gorm.DB {
	return db.Select("*", "end_date >= "+common.SecondIn(db.Name())+" AS open")
}

func (s gormStore) itemForSale(ctx context.Context, id int64) (Item, error) {
	return first[Item](withOpen(s.with(ctx)), id)
}

func (s gormStore) itemOrOld(ctx context.Context, id int64) (Item, error) {
	item, err := s.itemForSale(ctx, id)
	if common.IsMissing(err) {
		return first[Item](withOpen(s.with(ctx).Table(oldItems)), id)
	}
	return item, err
}

func (s gormStore) itemTitle(ctx context.Context, id int64) (Item, error) {
	return s.itemTopic(ctx, id)
}

func (s gormStore) itemTopic(ctx context.Context, id int64) (Item, error) {
	columns := []string{"id", "name", "seller"}
	item, err := first[Item](s.with(ctx).Select(columns), id)
	if common.IsMissing(err) {
		return first[Item](s.with(ctx).Table(oldItems).Select(columns), id)
	}
	return item, err
}

func (s gormStore) addSeller(ctx context.Context, i *Item) error {
	return s.with(ctx).Model(i).Association("Seller").Find(&i.Seller)
}

func (s gormStore) bidsOn(ctx context.Context, item int64) ([]Bid, error) {
	return find[Bid](s.with(ctx).Joins("User").Where("item_id = ?", item).Order("date DESC, bids.id DESC"))
}

func (s gormStore) isTaken(ctx context.Context, nickname string) (bool, error) {
	var users int64
	err := s.with(ctx).Model(&User{}).Where("nickname = ?", nickname).Count(&users).Error
	return users > 0, err
}

func (s gormStore) register(ctx context.Context, u *User) error {
	if err := s.with(ctx).Create(u).Error; err != nil {
		return err
	}
	return s.with(ctx).Select("creation_date").First(u).Error
}

func (s gormStore) sell(ctx context.Context, i *Item, days int64) error {
	i.EndDate.later = days
	err := s.with(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Create(i).Error; err != nil {
			return err
		}
		return tx.Model(&User{ID: i.SellerID}).Update("balance", gorm.Expr("balance - ?", fee)).Error
	})
	if err != nil {
		return err
	}
	return s.with(ctx).Select("start_date", "end_date").First(i).Error
}

func (s gormStore) comment(ctx context.Context, c *Comment) error {
	return s.with(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Create(c).Error; err != nil {
			return err
		}
		return tx.Model(&User{ID: c.ToUserID}).Update("rating", gorm.Expr("rating + ?", c.Rating)).Error
	})
}

func (s gormStore) atomically(ctx context.Context, do func(store) error) error {
	return s.with(ctx).Transaction(func(tx *gorm.DB) error { return do(gormStore{tx}) })
}

func (s gormStore) lockForBid(ctx context.Context, item int64) (Item, error) {
	return first[Item](withOpen(s.with(ctx)).Clauses(clause.Locking{Strength: clause.LockingStrengthUpdate}), item)
}

func (s gormStore) lockForPurchase(ctx context.Context, item int64) (Item, error) {
	return s.lockForBid(ctx, item)
}

func (s gormStore) leader(ctx context.Context, item int64) (*Bid, error) {
	var b Bid
	err := s.with(ctx).Where("item_id = ?", item).Order("max_bid DESC, id").Take(&b).Error
	if common.IsMissing(err) {
		return nil, nil
	}
	return &b, err
}

func (s gormStore) addBid(ctx context.Context, b *Bid) error {
	return s.with(ctx).Create(b).Error
}

func (s gormStore) raise(ctx context.Context, item int64, bids int, price decimal.Decimal) error {
	return s.with(ctx).Model(&Item{ID: item}).
		Updates(map[string]any{"nb_of_bids": gorm.Expr("nb_of_bids + ?", bids), "max_bid": price}).Error
}

func (s gormStore) addPurchase(ctx context.Context, p *Purchase) error {
	return s.with(ctx).Create(p).Error
}

func (s gormStore) take(ctx context.Context, item Item, copies int64) error {
	changes := map[string]any{"quantity": item.Quantity - copies}
	if copies == item.Quantity {
		changes["end_date"] = gorm.Expr(common.SecondIn(s.db.Name()) + " - INTERVAL '1' SECOND")
	}
	return s.with(ctx).Model(&item).Updates(changes).Error
}

func (s gormStore) affairs(ctx context.Context, user int64) (a Affairs, err error) {
	if a.User, err = first[User](s.with(ctx).Joins("Region"), user); err != nil {
		return a, err
	}
	if a.Bids, err = s.ownBids(ctx, user); err != nil {
		return a, err
	}
	if a.Won, err = s.won(ctx, user); err != nil {
		return a, err
	}
	if a.Bought, err = s.bought(ctx, user); err != nil {
		return a, err
	}
	if a.Selling, err = find[Item](s.with(ctx).Where("seller = ?", user).Where(isOpen).Order("end_date, id")); err != nil {
		return a, err
	}
	if a.Sold, err = s.sold(ctx, user); err != nil {
		return a, err
	}
	a.Comments, err = s.commentsAbout(ctx, user)
	return a, err
}

func (s gormStore) ownBids(ctx context.Context, user int64) ([]OwnBid, error) {
	own := s.db.Model(&Bid{}).Select("item_id", "MAX(bid) AS own_bid", "MAX(max_bid) AS own_most").
		Where("user_id = ?", user).Group("item_id")
	var bids []OwnBid
	err := s.with(ctx).Model(&Item{}).Select("items.*", "own_bid", "own_most").
		Joins("JOIN (?) own ON own.item_id = items.id", own).
		Where(isOpen).Order("end_date, id").Scan(&bids).Error
	return bids, err
}

func (s gormStore) won(ctx context.Context, user int64) ([]Item, error) {
	bids := s.db.Model(&Bid{})
	leader := bids.Session(&gorm.Session{}).Select("user_id").Where("item_id = items.id").Order("max_bid DESC, id").Limit(1)
	// Joins would name all fields, and thus Open, which is no column.
	return find[Item](s.with(ctx).Preload("Seller").
		Where("id IN (?)", bids.Session(&gorm.Session{}).Select("item_id").Where("user_id = ?", user)).
		Where("end_date < NOW() AND quantity > 0 AND max_bid >= reserve_price").
		Where("(?) = ?", leader, user).
		Order("end_date DESC, id DESC"))
}

// bought reads the items by themselves, because old ones are in another table.
func (s gormStore) bought(ctx context.Context, buyer int64) ([]Purchase, error) {
	purchases, err := find[Purchase](s.with(ctx).Where("buyer_id = ?", buyer).Where("date >= " + lastMonth).
		Order("date DESC, id DESC"))
	if err != nil || len(purchases) == 0 {
		return purchases, err
	}
	var ids []int64
	for _, purchase := range purchases {
		ids = append(ids, purchase.ItemID)
	}
	items, err := s.both(ctx, func(db *gorm.DB) *gorm.DB { return db.Where("id IN ?", ids) })
	if err != nil {
		return nil, err
	}
	for i, purchase := range purchases {
		at := slices.IndexFunc(items, func(item Item) bool { return item.ID == purchase.ItemID })
		if at >= 0 {
			purchases[i].Item = items[at]
		}
	}
	return purchases, nil
}

func (s gormStore) sold(ctx context.Context, seller int64) ([]Item, error) {
	items, err := s.both(ctx, func(db *gorm.DB) *gorm.DB {
		return db.Where("seller = ?", seller).Where("end_date < NOW() AND end_date >= " + lastMonth)
	})
	slices.SortFunc(items, func(a, b Item) int {
		return cmp.Or(b.EndDate.Compare(a.EndDate.Time), cmp.Compare(b.ID, a.ID))
	})
	return items, err
}

// both reads items and old items: GORM knows no UNION.
func (s gormStore) both(ctx context.Context, which func(*gorm.DB) *gorm.DB) ([]Item, error) {
	items, err := find[Item](s.with(ctx).Scopes(which))
	if err != nil {
		return nil, err
	}
	old, err := find[Item](s.with(ctx).Table(oldItems).Scopes(which))
	return append(items, old...), err
}
