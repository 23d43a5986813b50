package tierbench.auction;

import static tierbench.common.Matches.ID;

import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import tierbench.auction.Rows.FoundItem;
import tierbench.auction.Rows.Item;
import tierbench.auction.Rows.Named;
import tierbench.common.Matches;
import tierbench.common.Refusal;

/**
 * What visitors may see without a log-in. Spring requires no parameter, so that the first wrong one
 * is named.
 */
@Controller
@RequestMapping("/auction")
class BrowsingController {
  private static final String PAGE = "0|[1-9][0-9]{0,5}";
  private static final String SIZE = "[1-9][0-9]?|100";

  private final Store store;

  BrowsingController(Store store) {
    this.store = store;
  }

  record Link(String href, String text) {}

  @GetMapping("/BrowseCategories")
  String browseCategories(Model model) {
    String href = "/auction/SearchItemsInCategory?category=%d&page=0&nbOfItems=20";
    return list(model, "Categories", store.categories(), href);
  }

  @GetMapping("/BrowseRegions")
  String browseRegions(Model model) {
    return list(model, "Regions", store.regions(), "/auction/BrowseCategoriesInRegion?region=%d");
  }

  @GetMapping("/BrowseCategoriesInRegion")
  String browseCategoriesInRegion(@Matches(ID) String region, Model model) {
    int id = Integer.parseInt(region);
    String title = "Categories in " + region(id);
    String href = "/auction/SearchItemsInRegion?category=%d&region=" + id + "&page=0&nbOfItems=20";
    return list(model, title, store.categories(), href);
  }

  @GetMapping("/SearchItemsInCategory")
  String searchItemsInCategory(
      @Matches(ID) String category,
      @Matches(PAGE) String page,
      @Matches(SIZE) String nbOfItems,
      Model model) {
    int id = Integer.parseInt(category);
    int number = Integer.parseInt(page);
    int size = Integer.parseInt(nbOfItems);
    model.addAttribute("title", category(id));
    model.addAttribute("up", new Link("/auction/BrowseCategories", "All categories"));
    List<FoundItem> items = store.inCategory(id, number, size);
    return found(model, items, "/auction/SearchItemsInCategory?category=" + id, number, size);
  }

  @GetMapping("/SearchItemsInRegion")
  String searchItemsInRegion(
      @Matches(ID) String category,
      @Matches(ID) String region,
      @Matches(PAGE) String page,
      @Matches(SIZE) String nbOfItems,
      Model model) {
    int categoryId = Integer.parseInt(category);
    int regionId = Integer.parseInt(region);
    int number = Integer.parseInt(page);
    int size = Integer.parseInt(nbOfItems);
    String categoryName = category(categoryId);
    String regionName = region(regionId);
    model.addAttribute("title", categoryName + " in " + regionName);
    String up = "/auction/BrowseCategoriesInRegion?region=" + regionId;
    model.addAttribute("up", new Link(up, "All categories in " + regionName));
    List<FoundItem> items = store.inRegion(categoryId, regionId, number, size);
    String search =
        "/auction/SearchItemsInRegion?category=%d&region=%d".formatted(categoryId, regionId);
    return found(model, items, search, number, size);
  }

  @GetMapping("/ViewItem")
  String viewItem(@Matches(ID) String itemId, Model model) {
    int id = Integer.parseInt(itemId);
    Item item =
        store
            .itemForSale(id)
            .or(() -> store.oldItem(id))
            .orElseThrow(() -> Refusal.unknown("item", id));
    model.addAttribute("itemId", id);
    model.addAttribute("item", item);
    model.addAttribute("seller", store.nickname(item.seller()));
    return "view_item";
  }

  @GetMapping("/ViewUserInfo")
  String viewUserInfo(@Matches(ID) String userId, Model model) {
    int id = Integer.parseInt(userId);
    model.addAttribute("user", store.user(id).orElseThrow(() -> Refusal.unknown("user", id)));
    model.addAttribute("comments", store.commentsAbout(id));
    return "view_user_info";
  }

  @GetMapping("/ViewBidHistory")
  String viewBidHistory(@Matches(ID) String itemId, Model model) {
    int id = Integer.parseInt(itemId);
    model.addAttribute("itemId", id);
    model.addAttribute("name", store.itemName(id).orElseThrow(() -> Refusal.unknown("item", id)));
    model.addAttribute("bids", store.bidsOn(id));
    return "view_bid_history";
  }

  @GetMapping("/BuyNowAuth")
  String buyNowAuth(@Matches(ID) String itemId, Model model) {
    return logIn(model, "Log in to buy now", "/auction/BuyNow", Map.of("itemId", itemId));
  }

  @GetMapping("/PutBidAuth")
  String putBidAuth(@Matches(ID) String itemId, Model model) {
    return logIn(model, "Log in to bid", "/auction/PutBid", Map.of("itemId", itemId));
  }

  @GetMapping("/PutCommentAuth")
  String putCommentAuth(@Matches(ID) String itemId, @Matches(ID) String to, Model model) {
    Map<String, String> hidden = new java.util.TreeMap<>(Map.of("itemId", itemId, "to", to));
    return logIn(model, "Log in to rate the seller", "/auction/PutComment", hidden);
  }

  private String category(int id) {
    return store.category(id).orElseThrow(() -> Refusal.unknown("category", id));
  }

  private String region(int id) {
    return store.region(id).orElseThrow(() -> Refusal.unknown("region", id));
  }

  private static String logIn(
      Model model, String title, String action, Map<String, String> hidden) {
    model.addAttribute("title", title);
    model.addAttribute("action", action);
    model.addAttribute("hidden", hidden);
    return "log_in";
  }

  private static String list(Model model, String title, List<Named> all, String href) {
    model.addAttribute("title", title);
    model.addAttribute(
        "links", all.stream().map(one -> new Link(href.formatted(one.id()), one.name())).toList());
    return "list";
  }

  /** Nothing is counted, so the page after a full one may turn out to be empty. */
  private static String found(
      Model model, List<FoundItem> items, String search, int page, int size) {
    String address = search + "&page=%d&nbOfItems=" + size;
    model.addAttribute("items", items);
    model.addAttribute("previous", page > 0 ? address.formatted(page - 1) : null);
    model.addAttribute("next", items.size() == size ? address.formatted(page + 1) : null);
    return "search";
  }
}
