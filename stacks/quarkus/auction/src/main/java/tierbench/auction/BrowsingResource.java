package tierbench.auction;

import static tierbench.common.Matches.ID;

import io.quarkus.qute.TemplateInstance;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jboss.resteasy.reactive.RestQuery;
import tierbench.auction.Pages.Link;
import tierbench.auction.Rows.FoundItem;
import tierbench.auction.Rows.Item;
import tierbench.auction.Rows.Named;
import tierbench.auction.Rows.PublicUser;
import tierbench.common.Matches;
import tierbench.common.Refusal;

/** What visitors may see without a log-in. */
@Path("/auction")
@Produces(MediaType.TEXT_HTML)
@Blocking
class BrowsingResource {
  private static final String PAGE = "0|[1-9][0-9]{0,5}";
  private static final String SIZE = "[1-9][0-9]?|100";

  private final Store store;

  BrowsingResource(Store store) {
    this.store = store;
  }

  @GET
  @Path("BrowseCategories")
  public TemplateInstance browseCategories() {
    String href = "/auction/SearchItemsInCategory?category=%d&page=0&nbOfItems=20";
    return list("Categories", store.categories(), href);
  }

  @GET
  @Path("BrowseRegions")
  public TemplateInstance browseRegions() {
    return list("Regions", store.regions(), "/auction/BrowseCategoriesInRegion?region=%d");
  }

  @GET
  @Path("BrowseCategoriesInRegion")
  public TemplateInstance browseCategoriesInRegion(@RestQuery @Matches(ID) String region) {
    int id = Integer.parseInt(region);
    String title = "Categories in " + region(id);
    String href = "/auction/SearchItemsInRegion?category=%d&region=" + id + "&page=0&nbOfItems=20";
    return list(title, store.categories(), href);
  }

  @GET
  @Path("SearchItemsInCategory")
  public TemplateInstance searchItemsInCategory(
      @RestQuery @Matches(ID) String category,
      @RestQuery @Matches(PAGE) String page,
      @RestQuery @Matches(SIZE) String nbOfItems) {
    int id = Integer.parseInt(category);
    int number = Integer.parseInt(page);
    int size = Integer.parseInt(nbOfItems);
    String title = category(id);
    Link up = new Link("/auction/BrowseCategories", "All categories");
    List<FoundItem> items = store.inCategory(id, number, size);
    return found(title, items, up, "/auction/SearchItemsInCategory?category=" + id, number, size);
  }

  @GET
  @Path("SearchItemsInRegion")
  public TemplateInstance searchItemsInRegion(
      @RestQuery @Matches(ID) String category,
      @RestQuery @Matches(ID) String region,
      @RestQuery @Matches(PAGE) String page,
      @RestQuery @Matches(SIZE) String nbOfItems) {
    int categoryId = Integer.parseInt(category);
    int regionId = Integer.parseInt(region);
    int number = Integer.parseInt(page);
    int size = Integer.parseInt(nbOfItems);
    String categoryName = category(categoryId);
    String regionName = region(regionId);
    Link up =
        new Link(
            "/auction/BrowseCategoriesInRegion?region=" + regionId,
            "All categories in " + regionName);
    List<FoundItem> items = store.inRegion(categoryId, regionId, number, size);
    String search =
        "/auction/SearchItemsInRegion?category=%d&region=%d".formatted(categoryId, regionId);
    return found(categoryName + " in " + regionName, items, up, search, number, size);
  }

  @GET
  @Path("ViewItem")
  public TemplateInstance viewItem(@RestQuery @Matches(ID) String itemId) {
    int id = Integer.parseInt(itemId);
    Item item =
        store
            .itemForSale(id)
            .or(() -> store.oldItem(id))
            .orElseThrow(() -> Refusal.unknown("item", id));
    return Pages.viewItem(id, item, store.nickname(item.seller()));
  }

  @GET
  @Path("ViewUserInfo")
  public TemplateInstance viewUserInfo(@RestQuery @Matches(ID) String userId) {
    int id = Integer.parseInt(userId);
    PublicUser user = store.user(id).orElseThrow(() -> Refusal.unknown("user", id));
    return Pages.viewUserInfo(user, store.commentsAbout(id));
  }

  @GET
  @Path("ViewBidHistory")
  public TemplateInstance viewBidHistory(@RestQuery @Matches(ID) String itemId) {
    int id = Integer.parseInt(itemId);
    String name = store.itemName(id).orElseThrow(() -> Refusal.unknown("item", id));
    return Pages.viewBidHistory(id, name, store.bidsOn(id));
  }

  @GET
  @Path("BuyNowAuth")
  public TemplateInstance buyNowAuth(@RestQuery @Matches(ID) String itemId) {
    return Pages.logIn("Log in to buy now", "/auction/BuyNow", Map.of("itemId", itemId));
  }

  @GET
  @Path("PutBidAuth")
  public TemplateInstance putBidAuth(@RestQuery @Matches(ID) String itemId) {
    return Pages.logIn("Log in to bid", "/auction/PutBid", Map.of("itemId", itemId));
  }

  @GET
  @Path("PutCommentAuth")
  public TemplateInstance putCommentAuth(
      @RestQuery @Matches(ID) String itemId, @RestQuery @Matches(ID) String to) {
    Map<String, String> hidden = new TreeMap<>(Map.of("itemId", itemId, "to", to));
    return Pages.logIn("Log in to rate the seller", "/auction/PutComment", hidden);
  }

  private String category(int id) {
    return store.category(id).orElseThrow(() -> Refusal.unknown("category", id));
  }

  private String region(int id) {
    return store.region(id).orElseThrow(() -> Refusal.unknown("region", id));
  }

  private static TemplateInstance list(String title, List<Named> all, String href) {
    List<Link> links =
        all.stream().map(one -> new Link(href.formatted(one.id()), one.name())).toList();
    return Pages.list(title, links);
  }

  /** Nothing is counted, so the page after a full one may turn out to be empty. */
  private static TemplateInstance found(
      String title, List<FoundItem> items, Link up, String search, int page, int size) {
    String address = search + "&page=%d&nbOfItems=" + size;
    String previous = page > 0 ? address.formatted(page - 1) : null;
    String next = items.size() == size ? address.formatted(page + 1) : null;
    return Pages.search(title, items, previous, next, up);
  }
}
