package main

import (
	"fmt"
	"net/http"

	"github.com/shopspring/decimal"
	"tierbench/stacks/go/common"
)

var (
	cent = decimal.New(1, -2)
	fee  = decimal.New(1, 0)
)

// Price is the highest bid so far, or else the first price.
func (i Item) Price() decimal.Decimal {
	if i.MaxBid.Valid {
		return i.MaxBid.Decimal
	}
	return i.InitialPrice
}

// LeastBid is the lowest bid that is accepted.
func (i Item) LeastBid() decimal.Decimal {
	if i.MaxBid.Valid {
		return i.MaxBid.Decimal.Add(cent)
	}
	return i.InitialPrice
}

// AtOnce is the price to buy one at once, which an open item offers until the bids reach it.
func (i Item) AtOnce() *decimal.Decimal {
	if i.Price().LessThan(i.BuyNow) {
		return &i.BuyNow
	}
	return nil
}

// Outcome says what came of an auction that is over.
func (i Item) Outcome() string {
	switch {
	case i.Quantity == 0:
		return "bought"
	case i.MaxBid.Valid && !i.MaxBid.Decimal.LessThan(i.ReservePrice):
		return "sold"
	}
	return "not sold"
}

func denied(text string) error {
	return &common.Refusal{Status: http.StatusForbidden, Text: text, Onward: &common.Link{Href: "/auction/index.html", Text: "Home"}}
}

func conflict(href, onward, text string) error {
	return &common.Refusal{Status: http.StatusConflict, Text: text, Onward: &common.Link{Href: href, Text: onward}}
}

var (
	errWrongLogIn  = denied("The nickname or the password is wrong.")
	errWrongToken  = denied("Your log-in is not valid or has expired. Please log in again.")
	errPriceTooLow = errOfSale("The first price must be at least 0.01.")
	errReserve     = errOfSale("The reserve price must be 0 or at least the first price.")
	errBuyNow      = errOfSale("The price to buy at once must be 0 or at least the first and the reserve price.")
)

func errOfSale(text string) error {
	return conflict("/auction/sell.html", "Back to selling", text)
}

func errOfItem(item int64, text string) error {
	return conflict(fmt.Sprintf("/auction/ViewItem?itemId=%d", item), "Back to the item", text)
}

func errNicknameTaken(nickname string) error {
	return conflict("/auction/register.html", "Back to the form", "The nickname "+nickname+" is taken. Please choose another one.")
}

func errOwnItem(item int64) error {
	return errOfItem(item, "You can't bid on, buy or rate what you sell yourself.")
}

// checkMarket tells whether a user may bid on an item, or buy it.
func (i Item) checkMarket(user int64) error {
	switch {
	case !i.Open:
		return errOfItem(i.ID, "This auction is closed.")
	case i.SellerID == user:
		return errOwnItem(i.ID)
	}
	return nil
}

func (i Item) checkAtOnce(user int64) error {
	if err := i.checkMarket(user); err != nil {
		return err
	}
	if i.AtOnce() == nil {
		return errOfItem(i.ID, "This item can't be bought at once.")
	}
	return nil
}

func (i Item) checkQuantity(wanted int64) error {
	if wanted < 1 || wanted > i.Quantity {
		return errOfItem(i.ID, fmt.Sprintf("The quantity must be from 1 to %d.", i.Quantity))
	}
	return nil
}

func (i Item) checkPurchase(p Purchase) error {
	if err := i.checkAtOnce(p.BuyerID); err != nil {
		return err
	}
	return i.checkQuantity(p.Qty)
}

func (i Item) checkOffer(offer Bid) error {
	if err := i.checkMarket(offer.UserID); err != nil {
		return err
	}
	if err := i.checkQuantity(offer.Qty); err != nil {
		return err
	}
	switch {
	case offer.Bid.LessThan(i.LeastBid()):
		return errOfItem(i.ID, "The bid must be at least "+i.LeastBid().StringFixed(2)+".")
	case offer.MaxBid.LessThan(offer.Bid):
		return errOfItem(i.ID, "The most you would bid must not be less than your bid.")
	}
	return nil
}

// checkComment tells whether an author may rate the seller of an item.
func (i Item) checkComment(author, seller int64) error {
	switch {
	case i.SellerID != seller:
		return errOfItem(i.ID, fmt.Sprintf("User %d does not sell item %d.", seller, i.ID))
	case author == seller:
		return errOwnItem(i.ID)
	}
	return nil
}

// checkPrices tells whether a new item can be sold at its prices.
func (i Item) checkPrices() error {
	switch {
	case i.InitialPrice.LessThan(cent):
		return errPriceTooLow
	case !zeroOrFrom(i.ReservePrice, i.InitialPrice):
		return errReserve
	case !zeroOrFrom(i.BuyNow, decimal.Max(i.InitialPrice, i.ReservePrice)):
		return errBuyNow
	}
	return nil
}

func zeroOrFrom(price, least decimal.Decimal) bool {
	return price.IsZero() || !price.LessThan(least)
}

// settle bids by proxy: for the leader, by as little as it takes and up to the most that they would pay. It returns the
// bids to record: that of the offer, and the answer of a leader who stays ahead.
func settle(offer Bid, leader *Bid) []Bid {
	if leader == nil || leader.UserID == offer.UserID {
		return []Bid{offer}
	}
	if leader.MaxBid.LessThan(offer.MaxBid) {
		enough := decimal.Min(leader.MaxBid.Add(cent), offer.MaxBid)
		offer.Bid = decimal.Max(offer.Bid, enough)
		return []Bid{offer}
	}
	offer.Bid = offer.MaxBid
	return []Bid{offer, {
		UserID: leader.UserID,
		ItemID: offer.ItemID,
		Qty:    leader.Qty,
		Bid:    decimal.Min(offer.MaxBid.Add(cent), leader.MaxBid),
		MaxBid: leader.MaxBid,
	}}
}
