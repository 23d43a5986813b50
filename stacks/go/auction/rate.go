package main

import (
	"net/http"
	"strconv"

	"tierbench/stacks/go/common"
)

func (s *site) putComment(r *http.Request) (common.Page, error) {
	form := common.ReadForm(r)
	id, to, logIn := form.ID("itemId"), form.ID("to"), readLogIn(form)
	if err := form.Err(); err != nil {
		return common.Page{}, err
	}
	user, err := s.user(r.Context(), logIn)
	if err != nil {
		return common.Page{}, err
	}
	item, err := s.store.itemTopic(r.Context(), id)
	if err != nil {
		return common.Page{}, orUnknown(err, "item", id)
	}
	if err := item.checkComment(user, to); err != nil {
		return common.Page{}, err
	}
	err = s.store.addSeller(r.Context(), &item)
	return common.Page{Template: "put_comment.html", Values: orderValues{item, s.key.Sign(user)}}, err
}

type commentValues struct {
	Comment Comment
	Item    Item
}

func (s *site) storeComment(r *http.Request) (common.Page, error) {
	form := common.ReadForm(r)
	comment := Comment{ItemID: form.ID("itemId"), ToUserID: form.ID("to")}
	token := form.Text("token", 100)
	rating := form.Choice("rating", "-5", "-3", "0", "3", "5")
	comment.Comment = form.Text("comment", 2048)
	err := form.Err()
	if err != nil {
		return common.Page{}, err
	}
	if comment.Rating, err = strconv.ParseInt(rating, 10, 64); err != nil {
		return common.Page{}, err
	}
	if comment.FromUserID, err = s.bearer(token); err != nil {
		return common.Page{}, err
	}
	// Neither the name nor the seller of an item ever changes, so nothing needs to be locked.
	item, err := s.store.itemTopic(r.Context(), comment.ItemID)
	if err != nil {
		return common.Page{}, orUnknown(err, "item", comment.ItemID)
	}
	if err := item.checkComment(comment.FromUserID, comment.ToUserID); err != nil {
		return common.Page{}, err
	}
	err = s.store.comment(r.Context(), &comment)
	return common.Page{Template: "store_comment.html", Values: commentValues{comment, item}}, err
}
