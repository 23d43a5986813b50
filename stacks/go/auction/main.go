// Command auction serves the auction over HTTP.
package main

import (
	"context"
	"embed"
	"errors"
	"net/http"

	"tierbench/stacks/go/common"
)

//go:embed templates
var templates embed.FS

func main() {
	common.Main(func(ctx context.Context, s common.Settings, files string) (http.Handler, error) {
		if s.TokenKey == "" {
			return nil, errors.New("TIERBENCH_TOKEN_KEY is not set")
		}
		store, err := openStore(ctx, s)
		if err != nil {
			return nil, err
		}
		return newSite(store, common.TokenKey(s.TokenKey), files)
	})
}

type site struct {
	store store
	key   common.TokenKey
}

// newSite answers all requests. Pages that are the same for everybody are files.
func newSite(store store, key common.TokenKey, files string) (http.Handler, error) {
	pages, err := common.NewSite("auction", files, templates)
	if err != nil {
		return nil, err
	}
	s := &site{store, key}

	pages.Get("/auction/BrowseCategories", s.browseCategories)
	pages.Get("/auction/BrowseRegions", s.browseRegions)
	pages.Get("/auction/BrowseCategoriesInRegion", s.browseCategoriesInRegion)
	pages.Get("/auction/SearchItemsInCategory", s.searchItemsInCategory)
	pages.Get("/auction/SearchItemsInRegion", s.searchItemsInRegion)
	pages.Get("/auction/ViewItem", s.viewItem)
	pages.Get("/auction/ViewUserInfo", s.viewUserInfo)
	pages.Get("/auction/ViewBidHistory", s.viewBidHistory)

	pages.Get("/auction/BuyNowAuth", logInForm("Log in to buy now", "/auction/BuyNow", "itemId"))
	pages.Post("/auction/BuyNow", s.buyNow)
	pages.Post("/auction/StoreBuyNow", s.storeBuyNow)
	pages.Get("/auction/PutBidAuth", logInForm("Log in to bid", "/auction/PutBid", "itemId"))
	pages.Post("/auction/PutBid", s.putBid)
	pages.Post("/auction/StoreBid", s.storeBid)
	pages.Get("/auction/PutCommentAuth", logInForm("Log in to rate the seller", "/auction/PutComment", "itemId", "to"))
	pages.Post("/auction/PutComment", s.putComment)
	pages.Post("/auction/StoreComment", s.storeComment)

	pages.Post("/auction/RegisterUser", s.registerUser)
	pages.Post("/auction/AboutMe", s.aboutMe)
	pages.Post("/auction/SelectCategoryToSellItem", s.selectCategoryToSellItem)
	pages.Post("/auction/SellItemForm", s.sellItemForm)
	pages.Post("/auction/RegisterItem", s.registerItem)
	return pages, nil
}
