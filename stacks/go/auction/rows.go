package main

import (
	"context"
	"fmt"
	"time"

	"github.com/shopspring/decimal"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"tierbench/stacks/go/common"
)

// Category is what kind of thing an item is.
type Category struct {
	ID   int64
	Name string
}

// Region is where users live.
type Region struct {
	ID   int64
	Name string
}

// User sells, bids, buys and comments.
type User struct {
	ID                            int64
	Firstname, Lastname, Nickname string
	Password, Email               string
	Rating                        int64
	Balance                       decimal.Decimal
	CreationDate                  Instant
	RegionID                      int64 `gorm:"column:region"`
	Region                        Region
}

// Item is for sale, has closed, or is old. Old ones are in a table of their own.
type Item struct {
	ID                   int64
	Name, Description    string
	InitialPrice         decimal.Decimal
	Quantity             int64
	ReservePrice, BuyNow decimal.Decimal
	NbOfBids             int64
	MaxBid               decimal.NullDecimal
	StartDate, EndDate   Instant
	SellerID             int64 `gorm:"column:seller"`
	Seller               User
	CategoryID           int64 `gorm:"column:category"`
	// Open tells whether the item took bids when it was read. It is no column.
	Open bool `gorm:"->"`
}

// Bid is what a user bids for an item, and the most they would pay.
type Bid struct {
	ID             int64
	UserID, ItemID int64
	Qty            int64
	Bid, MaxBid    decimal.Decimal
	Date           Instant
	User           User
}

// Comment is what a user says about a seller.
type Comment struct {
	ID                           int64
	FromUserID, ToUserID, ItemID int64
	Rating                       int64
	Date                         Instant
	Comment                      string
	Author                       User `gorm:"foreignKey:FromUserID"`
}

// Purchase is how much of an item a user has bought at once.
type Purchase struct {
	ID              int64
	BuyerID, ItemID int64
	Qty             int64
	Date            Instant
	Item            Item
}

// TableName is the table of purchases.
func (Purchase) TableName() string { return "buy_now" }

// OwnBid is an item with a user's highest bid and the most that they would pay.
type OwnBid struct {
	Item
	OwnBid, OwnMost decimal.Decimal
}

// Affairs are all that concerns a user.
type Affairs struct {
	User     User
	Bids     []OwnBid
	Won      []Item
	Bought   []Purchase
	Selling  []Item
	Sold     []Item
	Comments []Comment
}

// Instant is a time of the database's clock. GORM writes each as the present, some days later if need be.
type Instant struct {
	time.Time
	later int64
}

// Scan reads a column.
func (i *Instant) Scan(value any) error {
	at, ok := value.(time.Time)
	if !ok {
		return fmt.Errorf("%T is no time", value)
	}
	i.Time = at
	return nil
}

// GormDataType is that of a time.
func (Instant) GormDataType() string { return "time" }

// GormValue leaves it to the database to tell the time.
func (i Instant) GormValue(_ context.Context, db *gorm.DB) clause.Expr {
	text := common.SecondIn(db.Name())
	if i.later != 0 {
		text += fmt.Sprintf(" + INTERVAL '%d' DAY", i.later)
	}
	return clause.Expr{SQL: text}
}
