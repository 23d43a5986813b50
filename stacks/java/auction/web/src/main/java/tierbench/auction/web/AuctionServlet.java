package tierbench.auction.web;

import static java.util.Map.entry;

import gg.jte.models.runtime.JteModel;
import java.io.Serial;
import java.util.Map;
import tierbench.common.Fault;
import tierbench.common.web.FrontServlet;
import tierbench.common.web.Route;

/** The auction: where its interactions are found. */
public final class AuctionServlet extends FrontServlet {
  @Serial private static final long serialVersionUID = 1;

  @Override
  protected Map<String, Route> routes() {
    return Map.ofEntries(
        entry("/auction/index.html", Route.file()),
        entry("/auction/register.html", Route.file()),
        entry("/auction/RegisterUser", Route.post(new RegisterUser())),
        entry("/auction/browse.html", Route.file()),
        entry("/auction/BrowseCategories", Route.get(new BrowseCategories())),
        entry("/auction/SearchItemsInCategory", Route.get(new SearchItemsInCategory())),
        entry("/auction/BrowseRegions", Route.get(new BrowseRegions())),
        entry("/auction/BrowseCategoriesInRegion", Route.get(new BrowseCategoriesInRegion())),
        entry("/auction/SearchItemsInRegion", Route.get(new SearchItemsInRegion())),
        entry("/auction/ViewItem", Route.get(new ViewItem())),
        entry("/auction/ViewUserInfo", Route.get(new ViewUserInfo())),
        entry("/auction/ViewBidHistory", Route.get(new ViewBidHistory())),
        entry("/auction/BuyNowAuth", Route.get(new LogInForm("Log in to buy now", "BuyNow"))),
        entry("/auction/BuyNow", Route.post(new BuyNow())),
        entry("/auction/StoreBuyNow", Route.post(new StoreBuyNow())),
        entry("/auction/PutBidAuth", Route.get(new LogInForm("Log in to bid", "PutBid"))),
        entry("/auction/PutBid", Route.post(new PutBid())),
        entry("/auction/StoreBid", Route.post(new StoreBid())),
        entry(
            "/auction/PutCommentAuth",
            Route.get(new LogInForm("Log in to rate the seller", "PutComment", "to"))),
        entry("/auction/PutComment", Route.post(new PutComment())),
        entry("/auction/StoreComment", Route.post(new StoreComment())),
        entry("/auction/sell.html", Route.file()),
        entry("/auction/SelectCategoryToSellItem", Route.post(new SelectCategoryToSellItem())),
        entry("/auction/SellItemForm", Route.post(new SellItemForm())),
        entry("/auction/RegisterItem", Route.post(new RegisterItem())),
        entry("/auction/about_me.html", Route.file()),
        entry("/auction/AboutMe", Route.post(new AboutMe())),
        entry("/auction/style.css", Route.file()),
        entry("/auction/logo.svg", Route.file()),
        entry("/auction/bid.svg", Route.file()),
        entry("/auction/buy.svg", Route.file()));
  }

  @Override
  protected JteModel refusal(Fault fault) {
    return Pages.PAGES.error(fault);
  }
}
