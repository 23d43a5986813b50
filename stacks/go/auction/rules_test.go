package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
)

func euros(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func TestTheSiteBidsForTheLeaderByAsLittleAsItTakes(t *testing.T) {
	leader := &Bid{UserID: 1, Qty: 2, MaxBid: euros("20")}
	for _, test := range []struct {
		name      string
		user      int64
		bid, most string
		leader    *Bid
		want      string
	}{
		{"nobody has bid", 3, "5", "9", nil, "3:5.00"},
		{"by the leader", 1, "15", "30", leader, "1:15.00"},
		{"above the leader's most", 3, "15", "30", leader, "3:20.01"},
		{"at once above it", 3, "25", "30", leader, "3:25.00"},
		{"just above it", 3, "15", "20.01", leader, "3:20.01"},
		{"below it", 3, "15", "17", leader, "3:17.00 1:17.01"},
		{"as high", 3, "15", "20", leader, "3:20.00 1:20.00"},
	} {
		var got []string
		for _, bid := range settle(Bid{UserID: test.user, Bid: euros(test.bid), MaxBid: euros(test.most)}, test.leader) {
			got = append(got, fmt.Sprintf("%d:%s", bid.UserID, bid.Bid.StringFixed(2)))
		}
		if got := strings.Join(got, " "); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func TestOffersKeepToTheRules(t *testing.T) {
	item := Item{ID: 7, SellerID: 1, Quantity: 3, InitialPrice: euros("10"), Open: true}
	item.MaxBid = decimal.NewNullDecimal(euros("12"))
	fits := Bid{UserID: 2, Qty: 3, Bid: euros("12.01"), MaxBid: euros("12.01")}
	if err := item.checkOffer(fits); err != nil {
		t.Errorf("an offer that fits gives %v", err)
	}
	for want, change := range map[string]func(*Item, *Bid){
		"closed":                  func(i *Item, _ *Bid) { i.Open = false },
		"what you sell yourself":  func(_ *Item, b *Bid) { b.UserID = 1 },
		"from 1 to 3":             func(_ *Item, b *Bid) { b.Qty = 4 },
		"at least 12.01":          func(_ *Item, b *Bid) { b.Bid = euros("12") },
		"not be less than your b": func(_ *Item, b *Bid) { b.MaxBid = euros("12") },
	} {
		item, offer := item, fits
		change(&item, &offer)
		if err := item.checkOffer(offer); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}

func TestPricesOfANewItemMakeSense(t *testing.T) {
	for prices, want := range map[string]error{
		"10 0 0":    nil,
		"10 10 10":  nil,
		"0 0 0":     errPriceTooLow,
		"10 9.99 0": errReserve,
		"10 20 19":  errBuyNow,
		"10 0 9":    errBuyNow,
	} {
		price := strings.Fields(prices)
		item := Item{InitialPrice: euros(price[0]), ReservePrice: euros(price[1]), BuyNow: euros(price[2])}
		if err := item.checkPrices(); err != want {
			t.Errorf("%s gives %v, want %v", prices, err, want)
		}
	}
}
