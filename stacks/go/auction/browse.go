package main

import (
	"context"
	"fmt"
	"net/http"

	"tierbench/stacks/go/common"
)

// orUnknown refuses to show what isn't there.
func orUnknown(err error, what string, id int64) error {
	if common.IsMissing(err) {
		return common.Unknown(what, id)
	}
	return err
}

type listValues struct {
	Title string
	Links []common.Link
}

func (s *site) browseCategories(r *http.Request) (common.Page, error) {
	return s.categoryLinks(r.Context(), "Categories", "/auction/SearchItemsInCategory?category=%d&page=0&nbOfItems=20")
}

func (s *site) browseCategoriesInRegion(r *http.Request) (common.Page, error) {
	form := common.ReadForm(r)
	id := form.ID("region")
	if err := form.Err(); err != nil {
		return common.Page{}, err
	}
	region, err := s.store.region(r.Context(), id)
	if err != nil {
		return common.Page{}, orUnknown(err, "region", id)
	}
	address := fmt.Sprintf("/auction/SearchItemsInRegion?category=%%d&region=%d&page=0&nbOfItems=20", id)
	return s.categoryLinks(r.Context(), "Categories in "+region.Name, address)
}

// categoryLinks lists all categories; address has a place for the category's id.
func (s *site) categoryLinks(ctx context.Context, title, address string) (common.Page, error) {
	categories, err := s.store.categories(ctx)
	list := listValues{Title: title}
	for _, category := range categories {
		list.Links = append(list.Links, common.Link{Href: fmt.Sprintf(address, category.ID), Text: category.Name})
	}
	return common.Page{Template: "list.html", Values: list}, err
}

func (s *site) browseRegions(r *http.Request) (common.Page, error) {
	regions, err := s.store.regions(r.Context())
	list := listValues{Title: "Regions"}
	for _, region := range regions {
		href := fmt.Sprintf("/auction/BrowseCategoriesInRegion?region=%d", region.ID)
		list.Links = append(list.Links, common.Link{Href: href, Text: region.Name})
	}
	return common.Page{Template: "list.html", Values: list}, err
}

// part is which page of the items found is shown, and how many items a page has.
type part struct{ page, size int64 }

func readPart(form *common.Form) part {
	return part{page: form.Whole("page", 0, 999_999), size: form.Whole("nbOfItems", 1, 100)}
}

type searchValues struct {
	Title          string
	Items          []Item
	Previous, Next string
	Up             common.Link
}

// show makes the page of a search, whose address lacks the part.
func (p part) show(title string, items []Item, address string, up common.Link) common.Page {
	values := searchValues{Title: title, Items: items, Up: up}
	href := func(page int64) string { return fmt.Sprintf("%s&page=%d&nbOfItems=%d", address, page, p.size) }
	if p.page > 0 {
		values.Previous = href(p.page - 1)
	}
	if int64(len(items)) == p.size {
		values.Next = href(p.page + 1)
	}
	return common.Page{Template: "search.html", Values: values}
}

func (s *site) searchItemsInCategory(r *http.Request) (common.Page, error) {
	form := common.ReadForm(r)
	id, part := form.ID("category"), readPart(form)
	if err := form.Err(); err != nil {
		return common.Page{}, err
	}
	category, err := s.store.category(r.Context(), id)
	if err != nil {
		return common.Page{}, orUnknown(err, "category", id)
	}
	items, err := s.store.openItems(r.Context(), id, 0, part.page*part.size, part.size)
	address := fmt.Sprintf("/auction/SearchItemsInCategory?category=%d", id)
	up := common.Link{Href: "/auction/BrowseCategories", Text: "All categories"}
	return part.show(category.Name, items, address, up), err
}

func (s *site) searchItemsInRegion(r *http.Request) (common.Page, error) {
	form := common.ReadForm(r)
	categoryID, regionID, part := form.ID("category"), form.ID("region"), readPart(form)
	if err := form.Err(); err != nil {
		return common.Page{}, err
	}
	category, err := s.store.category(r.Context(), categoryID)
	if err != nil {
		return common.Page{}, orUnknown(err, "category", categoryID)
	}
	region, err := s.store.region(r.Context(), regionID)
	if err != nil {
		return common.Page{}, orUnknown(err, "region", regionID)
	}
	items, err := s.store.openItems(r.Context(), categoryID, regionID, part.page*part.size, part.size)
	address := fmt.Sprintf("/auction/SearchItemsInRegion?category=%d&region=%d", categoryID, regionID)
	up := common.Link{
		Href: fmt.Sprintf("/auction/BrowseCategoriesInRegion?region=%d", regionID),
		Text: "All categories in " + region.Name,
	}
	return part.show(category.Name+" in "+region.Name, items, address, up), err
}

func (s *site) viewItem(r *http.Request) (common.Page, error) {
	form := common.ReadForm(r)
	id := form.ID("itemId")
	if err := form.Err(); err != nil {
		return common.Page{}, err
	}
	item, err := s.store.itemOrOld(r.Context(), id)
	if err != nil {
		return common.Page{}, orUnknown(err, "item", id)
	}
	err = s.store.addSeller(r.Context(), &item)
	return common.Page{Template: "view_item.html", Values: item}, err
}

type userValues struct {
	User     User
	Comments []Comment
}

func (s *site) viewUserInfo(r *http.Request) (common.Page, error) {
	form := common.ReadForm(r)
	id := form.ID("userId")
	if err := form.Err(); err != nil {
		return common.Page{}, err
	}
	user, err := s.store.profile(r.Context(), id)
	if err != nil {
		return common.Page{}, orUnknown(err, "user", id)
	}
	comments, err := s.store.commentsAbout(r.Context(), id)
	return common.Page{Template: "view_user_info.html", Values: userValues{user, comments}}, err
}

type historyValues struct {
	Item Item
	Bids []Bid
}

func (s *site) viewBidHistory(r *http.Request) (common.Page, error) {
	form := common.ReadForm(r)
	id := form.ID("itemId")
	if err := form.Err(); err != nil {
		return common.Page{}, err
	}
	item, err := s.store.itemTitle(r.Context(), id)
	if err != nil {
		return common.Page{}, orUnknown(err, "item", id)
	}
	bids, err := s.store.bidsOn(r.Context(), id)
	return common.Page{Template: "view_bid_history.html", Values: historyValues{item, bids}}, err
}
