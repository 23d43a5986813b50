package tierbench.auction.web;

import static java.util.Map.entry;

import gg.jte.models.runtime.JteModel;
import jakarta.ejb.CreateException;
import jakarta.servlet.ServletException;
import java.io.Serial;
import java.rmi.RemoteException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tierbench.auction.ejb.AuctionHome;
import tierbench.auction.ejb.Interactions;
import tierbench.auction.entities.Design;
import tierbench.auction.entities.Remote.Values;
import tierbench.common.Environment;
import tierbench.common.Fault;
import tierbench.common.web.FrontServlet;
import tierbench.common.web.Route;
import tierbench.ejb.Beans;
import tierbench.ejb.Container;

/** The auction's web tier with its business in beans: the routes of its interactions. */
public final class BeansServlet extends FrontServlet {
  @Serial private static final long serialVersionUID = 1;

  private static final String ROOT = "/auction/";
  private static final List<String> FILES =
      List.of(
          "index.html",
          "register.html",
          "browse.html",
          "sell.html",
          "about_me.html",
          "style.css",
          "logo.svg",
          "bid.svg",
          "buy.svg");

  private transient Beans<Interactions> beans;

  @Override
  public void init() throws ServletException {
    beans = find(Environment.ofProcess());
    super.init();
  }

  /** One session bean answers everything, or the servlets call entities. */
  private static Beans<Interactions> find(Environment environment) {
    Container container = Container.of(environment);
    Optional<Values> values = Design.of(environment).servletReads();
    try {
      return new Beans<>(
          values.isPresent()
              ? EntityClient.find(container, values.get())
              : container.home("Auction", AuctionHome.class).create());
    } catch (RemoteException | CreateException e) {
      throw new IllegalStateException("the container has no bean for us", e);
    }
  }

  @Override
  protected Map<String, Route> routes() {
    Map<String, Route> routes = new HashMap<>();
    FILES.forEach(file -> routes.put(ROOT + file, Route.file()));
    pages().forEach((name, route) -> routes.put(ROOT + name, route));
    return routes;
  }

  private Map<String, Route> pages() {
    Browsing browsing = new Browsing(beans);
    Buying buying = new Buying(beans);
    Rating rating = new Rating(beans);
    Selling selling = new Selling(beans);
    Accounts accounts = new Accounts(beans);
    return Map.ofEntries(
        entry("RegisterUser", Route.post(accounts::registerUser)),
        entry("BrowseCategories", Route.get(browsing::browseCategories)),
        entry("SearchItemsInCategory", Route.get(browsing::searchItemsInCategory)),
        entry("BrowseRegions", Route.get(browsing::browseRegions)),
        entry("BrowseCategoriesInRegion", Route.get(browsing::browseCategoriesInRegion)),
        entry("SearchItemsInRegion", Route.get(browsing::searchItemsInRegion)),
        entry("ViewItem", Route.get(browsing::viewItem)),
        entry("ViewUserInfo", Route.get(browsing::viewUserInfo)),
        entry("ViewBidHistory", Route.get(browsing::viewBidHistory)),
        entry("BuyNowAuth", Route.get(new LogInForm("Log in to buy now", "BuyNow"))),
        entry("BuyNow", Route.post(buying::buyNow)),
        entry("StoreBuyNow", Route.post(buying::storeBuyNow)),
        entry("PutBidAuth", Route.get(new LogInForm("Log in to bid", "PutBid"))),
        entry("PutBid", Route.post(buying::putBid)),
        entry("StoreBid", Route.post(buying::storeBid)),
        entry(
            "PutCommentAuth",
            Route.get(new LogInForm("Log in to rate the seller", "PutComment", "to"))),
        entry("PutComment", Route.post(rating::putComment)),
        entry("StoreComment", Route.post(rating::storeComment)),
        entry("SelectCategoryToSellItem", Route.post(selling::selectCategoryToSellItem)),
        entry("SellItemForm", Route.post(selling::sellItemForm)),
        entry("RegisterItem", Route.post(selling::registerItem)),
        entry("AboutMe", Route.post(accounts::aboutMe)));
  }

  @Override
  protected JteModel refusal(Fault fault) {
    return Pages.PAGES.error(fault);
  }
}
