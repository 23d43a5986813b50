package main

import (
	"net/http"

	"github.com/shopspring/decimal"
	"tierbench/stacks/go/common"
)

// orderValues are for the form for a bid, and for that to buy at once.
type orderValues struct {
	Item  Item
	Token string
}

func (s *site) buyNow(r *http.Request) (common.Page, error) {
	return s.orderForm(r, "buy_now.html", Item.checkAtOnce)
}

func (s *site) putBid(r *http.Request) (common.Page, error) {
	return s.orderForm(r, "put_bid.html", Item.checkMarket)
}

// orderForm logs a user in and shows an item, if a rule allows them to order it.
func (s *site) orderForm(r *http.Request, template string, check func(Item, int64) error) (common.Page, error) {
	form := common.ReadForm(r)
	id, logIn := form.ID("itemId"), readLogIn(form)
	if err := form.Err(); err != nil {
		return common.Page{}, err
	}
	user, err := s.user(r.Context(), logIn)
	if err != nil {
		return common.Page{}, err
	}
	item, err := s.store.itemForSale(r.Context(), id)
	if err != nil {
		return common.Page{}, orUnknown(err, "item", id)
	}
	if err := check(item, user); err != nil {
		return common.Page{}, err
	}
	err = s.store.addSeller(r.Context(), &item)
	return common.Page{Template: template, Values: orderValues{item, s.key.Sign(user)}}, err
}

type purchaseValues struct {
	Purchase Purchase
	Item     Item
}

func (s *site) storeBuyNow(r *http.Request) (common.Page, error) {
	form := common.ReadForm(r)
	id, token, quantity := form.ID("itemId"), form.Text("token", 100), form.Whole("qty", 0, 999_999_999)
	if err := form.Err(); err != nil {
		return common.Page{}, err
	}
	user, err := s.bearer(token)
	if err != nil {
		return common.Page{}, err
	}
	bought := purchaseValues{Purchase: Purchase{BuyerID: user, ItemID: id, Qty: quantity}}
	err = s.store.atomically(r.Context(), func(tx store) (err error) {
		if bought.Item, err = tx.lockForPurchase(r.Context(), id); err != nil {
			return orUnknown(err, "item", id)
		}
		if err := bought.Item.checkPurchase(bought.Purchase); err != nil {
			return err
		}
		if err := tx.addPurchase(r.Context(), &bought.Purchase); err != nil {
			return err
		}
		return tx.take(r.Context(), bought.Item, quantity)
	})
	return common.Page{Template: "store_buy_now.html", Values: bought}, err
}

type bidValues struct {
	Bid   Bid
	Leads bool
	Price decimal.Decimal
}

func (s *site) storeBid(r *http.Request) (common.Page, error) {
	form := common.ReadForm(r)
	offer := Bid{ItemID: form.ID("itemId")}
	token := form.Text("token", 100)
	offer.Bid, offer.MaxBid, offer.Qty = form.Money("bid"), form.Money("maxBid"), form.Whole("qty", 0, 999_999_999)
	err := form.Err()
	if err != nil {
		return common.Page{}, err
	}
	if offer.UserID, err = s.bearer(token); err != nil {
		return common.Page{}, err
	}
	var bids []Bid
	err = s.store.atomically(r.Context(), func(tx store) error {
		item, err := tx.lockForBid(r.Context(), offer.ItemID)
		if err != nil {
			return orUnknown(err, "item", offer.ItemID)
		}
		if err := item.checkOffer(offer); err != nil {
			return err
		}
		leader, err := tx.leader(r.Context(), offer.ItemID)
		if err != nil {
			return err
		}
		bids = settle(offer, leader)
		for i := range bids {
			if err := tx.addBid(r.Context(), &bids[i]); err != nil {
				return err
			}
		}
		return tx.raise(r.Context(), offer.ItemID, len(bids), bids[len(bids)-1].Bid)
	})
	if err != nil {
		return common.Page{}, err
	}
	values := bidValues{Bid: bids[0], Leads: len(bids) == 1, Price: bids[len(bids)-1].Bid}
	return common.Page{Template: "store_bid.html", Values: values}, nil
}
