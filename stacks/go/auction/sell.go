package main

import (
	"net/http"

	"github.com/shopspring/decimal"
	"tierbench/stacks/go/common"
)

type categoriesValues struct {
	Categories []Category
	Token      string
}

func (s *site) selectCategoryToSellItem(r *http.Request) (common.Page, error) {
	form := common.ReadForm(r)
	logIn := readLogIn(form)
	if err := form.Err(); err != nil {
		return common.Page{}, err
	}
	user, err := s.user(r.Context(), logIn)
	if err != nil {
		return common.Page{}, err
	}
	categories, err := s.store.categories(r.Context())
	values := categoriesValues{categories, s.key.Sign(user)}
	return common.Page{Template: "select_category_to_sell_item.html", Values: values}, err
}

type sellValues struct {
	Category Category
	Token    string
	Fee      decimal.Decimal
}

func (s *site) sellItemForm(r *http.Request) (common.Page, error) {
	form := common.ReadForm(r)
	token, id := form.Text("token", 100), form.ID("category")
	if err := form.Err(); err != nil {
		return common.Page{}, err
	}
	if _, err := s.bearer(token); err != nil {
		return common.Page{}, err
	}
	category, err := s.store.category(r.Context(), id)
	return common.Page{Template: "sell_item_form.html", Values: sellValues{category, token, fee}}, orUnknown(err, "category", id)
}

type soldValues struct {
	Item     Item
	Category Category
	Fee      decimal.Decimal
}

func (s *site) registerItem(r *http.Request) (common.Page, error) {
	form := common.ReadForm(r)
	token := form.Text("token", 100)
	item := Item{
		CategoryID:   form.ID("category"),
		Name:         form.Text("name", 100),
		Description:  form.Text("description", 8192),
		InitialPrice: form.Money("initialPrice"),
		ReservePrice: form.Money("reservePrice"),
		BuyNow:       form.Money("buyNow"),
		Quantity:     form.Whole("quantity", 1, 10),
	}
	days := form.Whole("duration", 1, 7)
	err := form.Err()
	if err != nil {
		return common.Page{}, err
	}
	if item.SellerID, err = s.bearer(token); err != nil {
		return common.Page{}, err
	}
	category, err := s.store.category(r.Context(), item.CategoryID)
	if err != nil {
		return common.Page{}, orUnknown(err, "category", item.CategoryID)
	}
	if err := item.checkPrices(); err != nil {
		return common.Page{}, err
	}
	err = s.store.sell(r.Context(), &item, days)
	return common.Page{Template: "register_item.html", Values: soldValues{item, category, fee}}, err
}
