package tierbench.auction;

import static tierbench.common.Matches.COUNT;
import static tierbench.common.Matches.ID;
import static tierbench.common.Matches.MONEY;

import jakarta.validation.constraints.Pattern;
import java.math.BigDecimal;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import tierbench.auction.Rows.Item;
import tierbench.auction.Rows.SoldBy;
import tierbench.common.Matches;
import tierbench.common.Refusal;
import tierbench.common.Text;

/** What takes an account. Spring requires no parameter, so that the first wrong one is named. */
@Controller
@RequestMapping(path = "/auction", consumes = MediaType.APPLICATION_FORM_URLENCODED_VALUE)
class MembersController {
  private static final String NICKNAME = "[A-Za-z0-9_.-]{1,20}";

  private final Store store;
  private final Trading trading;
  private final LogIn logIn;

  MembersController(Store store, Trading trading, LogIn logIn) {
    this.store = store;
    this.trading = trading;
    this.logIn = logIn;
  }

  @PostMapping("/RegisterUser")
  String registerUser(
      @Text(max = 20) String firstname,
      @Text(max = 20) String lastname,
      @Matches(NICKNAME) String nickname,
      @Text(max = 50) @Pattern(regexp = "(?s).*@.*") String email,
      @Text(max = 20) String password,
      @Matches(ID) String region,
      Model model) {
    int regionId = Integer.parseInt(region);
    model.addAttribute(
        "region", store.region(regionId).orElseThrow(() -> Refusal.parameter("region")));
    String hash = LogIn.hash(nickname, password);
    NewUser user = new NewUser(firstname, lastname, nickname, email, hash, regionId);
    int id = register(user);
    model.addAttribute("id", id);
    model.addAttribute("user", user);
    model.addAttribute("registered", store.registered(id));
    return "register_user";
  }

  /**
   * Looks first, so that a refusal uses up no id. Of two who register at once, the unique key
   * refuses one.
   */
  private int register(NewUser user) {
    if (store.isTaken(user.nickname())) {
      throw Rules.nicknameTaken(user.nickname());
    }
    try {
      return store.addUser(user);
    } catch (DataIntegrityViolationException e) {
      throw Rules.nicknameTaken(user.nickname());
    }
  }

  @PostMapping("/BuyNow")
  String buyNow(
      @Matches(ID) String itemId,
      @Matches(NICKNAME) String nickname,
      @Text(max = 20) String password,
      Model model) {
    int id = Integer.parseInt(itemId);
    int user = logIn.user(nickname, password);
    Item item = forSale(id);
    Rules.checkBuyer(id, item, item.seller(), user);
    return offer(model, "buy_now", id, item, user);
  }

  @PostMapping("/PutBid")
  String putBid(
      @Matches(ID) String itemId,
      @Matches(NICKNAME) String nickname,
      @Text(max = 20) String password,
      Model model) {
    int id = Integer.parseInt(itemId);
    int user = logIn.user(nickname, password);
    Item item = forSale(id);
    Rules.checkBidder(id, item.open(), item.seller(), user);
    return offer(model, "put_bid", id, item, user);
  }

  @PostMapping("/PutComment")
  String putComment(
      @Matches(ID) String itemId,
      @Matches(ID) String to,
      @Matches(NICKNAME) String nickname,
      @Text(max = 20) String password,
      Model model) {
    int id = Integer.parseInt(itemId);
    int seller = Integer.parseInt(to);
    int user = logIn.user(nickname, password);
    model.addAttribute("item", rateable(id, user, seller));
    model.addAttribute("itemId", id);
    model.addAttribute("to", seller);
    model.addAttribute("seller", store.nickname(seller));
    model.addAttribute("token", logIn.token(user));
    return "put_comment";
  }

  @PostMapping("/StoreBuyNow")
  String storeBuyNow(
      @Matches(ID) String itemId,
      @Text(max = 100) String token,
      @Matches(COUNT) String qty,
      Model model) {
    int id = Integer.parseInt(itemId);
    int buyer = logIn.user(token);
    model.addAttribute("itemId", id);
    model.addAttribute("qty", qty);
    model.addAttribute("sale", trading.buy(buyer, id, Integer.parseInt(qty)));
    return "store_buy_now";
  }

  @PostMapping("/StoreBid")
  String storeBid(
      @Matches(ID) String itemId,
      @Text(max = 100) String token,
      @Matches(MONEY) String bid,
      @Matches(MONEY) String maxBid,
      @Matches(COUNT) String qty,
      Model model) {
    int user = logIn.user(token);
    Bid offer =
        new Bid(user, Integer.parseInt(itemId), Integer.parseInt(qty), money(bid), money(maxBid));
    Trading.Placed placed = trading.bid(offer);
    model.addAttribute("id", placed.id());
    model.addAttribute("bidding", placed.bidding());
    return "store_bid";
  }

  /** Neither the name nor the seller of an item ever changes, so nothing needs to be locked. */
  @PostMapping("/StoreComment")
  String storeComment(
      @Matches(ID) String itemId,
      @Matches(ID) String to,
      @Text(max = 100) String token,
      @Matches("-5|-3|0|3|5") String rating,
      @Text(max = 2048) String comment,
      Model model) {
    int id = Integer.parseInt(itemId);
    int seller = Integer.parseInt(to);
    int author = logIn.user(token);
    model.addAttribute("item", rateable(id, author, seller));
    model.addAttribute(
        "id", store.addComment(author, seller, id, Integer.parseInt(rating), comment));
    model.addAttribute("itemId", id);
    model.addAttribute("to", seller);
    model.addAttribute("rating", rating);
    model.addAttribute("comment", comment);
    return "store_comment";
  }

  @PostMapping("/SelectCategoryToSellItem")
  String selectCategoryToSellItem(
      @Matches(NICKNAME) String nickname, @Text(max = 20) String password, Model model) {
    int user = logIn.user(nickname, password);
    model.addAttribute("categories", store.categories());
    model.addAttribute("token", logIn.token(user));
    return "select_category_to_sell_item";
  }

  @PostMapping("/SellItemForm")
  String sellItemForm(@Text(max = 100) String token, @Matches(ID) String category, Model model) {
    logIn.user(token);
    int id = Integer.parseInt(category);
    model.addAttribute("name", category(id));
    model.addAttribute("category", id);
    model.addAttribute("token", token);
    model.addAttribute("fee", NewItem.FEE);
    return "sell_item_form";
  }

  @PostMapping("/RegisterItem")
  String registerItem(
      @Text(max = 100) String token,
      @Matches(ID) String category,
      @Text(max = 100) String name,
      @Text(max = 8192) String description,
      @Matches(MONEY) String initialPrice,
      @Matches(MONEY) String reservePrice,
      @Matches(MONEY) String buyNow,
      @Matches("[1-9]|10") String quantity,
      @Matches("[1-7]") String duration,
      Model model) {
    NewItem item =
        new NewItem(
            logIn.user(token),
            Integer.parseInt(category),
            name,
            description,
            money(initialPrice),
            money(reservePrice),
            money(buyNow),
            Integer.parseInt(quantity),
            Integer.parseInt(duration));
    model.addAttribute("category", category(item.category()));
    item.check();
    int id = store.addItem(item);
    model.addAttribute("id", id);
    model.addAttribute("item", item);
    model.addAttribute("fee", NewItem.FEE);
    model.addAttribute("period", store.period(id));
    return "register_item";
  }

  @PostMapping("/AboutMe")
  String aboutMe(@Matches(NICKNAME) String nickname, @Text(max = 20) String password, Model model) {
    Affairs affairs = store.affairs(logIn.user(nickname, password));
    model.addAttribute("user", affairs.user());
    model.addAttribute("bids", affairs.bids());
    model.addAttribute("won", affairs.won());
    model.addAttribute("bought", affairs.bought());
    model.addAttribute("selling", affairs.selling());
    model.addAttribute("sold", affairs.sold());
    model.addAttribute("comments", affairs.comments());
    return "about_me";
  }

  private String offer(Model model, String page, int id, Item item, int user) {
    model.addAttribute("itemId", id);
    model.addAttribute("item", item);
    model.addAttribute("seller", store.nickname(item.seller()));
    model.addAttribute("token", logIn.token(user));
    return page;
  }

  private Item forSale(int id) {
    return store.itemForSale(id).orElseThrow(() -> Refusal.unknown("item", id));
  }

  private SoldBy rateable(int id, int author, int seller) {
    SoldBy item = store.soldBy(id).orElseThrow(() -> Refusal.unknown("item", id));
    Rules.checkComment(id, item, author, seller);
    return item;
  }

  private String category(int id) {
    return store.category(id).orElseThrow(() -> Refusal.unknown("category", id));
  }

  private static BigDecimal money(String text) {
    return new BigDecimal(text).setScale(2);
  }
}
