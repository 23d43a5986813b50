from django.urls import path

from auction import accounts, browsing, ordering, selling
from common.urls import handler400, handler404, handler500

__all__ = ["handler400", "handler404", "handler500"]

VIEWS = {
    "BrowseCategories": browsing.browse_categories,
    "BrowseRegions": browsing.browse_regions,
    "BrowseCategoriesInRegion": browsing.browse_categories_in_region,
    "SearchItemsInCategory": browsing.search_items_in_category,
    "SearchItemsInRegion": browsing.search_items_in_region,
    "ViewItem": browsing.view_item,
    "ViewUserInfo": browsing.view_user_info,
    "ViewBidHistory": browsing.view_bid_history,
    "RegisterUser": accounts.register_user,
    "AboutMe": accounts.about_me,
    "BuyNowAuth": ordering.buy_now_auth,
    "BuyNow": ordering.buy_now,
    "StoreBuyNow": ordering.store_buy_now,
    "PutBidAuth": ordering.put_bid_auth,
    "PutBid": ordering.put_bid,
    "StoreBid": ordering.store_bid,
    "PutCommentAuth": ordering.put_comment_auth,
    "PutComment": ordering.put_comment,
    "StoreComment": ordering.store_comment,
    "SelectCategoryToSellItem": selling.select_category_to_sell_item,
    "SellItemForm": selling.sell_item_form,
    "RegisterItem": selling.register_item,
}

urlpatterns = [path(f"auction/{name}", view) for name, view in VIEWS.items()]
