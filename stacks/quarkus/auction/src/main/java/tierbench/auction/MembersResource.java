package tierbench.auction;

import static tierbench.common.Matches.COUNT;
import static tierbench.common.Matches.ID;
import static tierbench.common.Matches.MONEY;

import io.quarkus.qute.TemplateInstance;
import io.smallrye.common.annotation.Blocking;
import jakarta.validation.constraints.Pattern;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.math.BigDecimal;
import org.jboss.resteasy.reactive.RestForm;
import tierbench.auction.Rows.Item;
import tierbench.auction.Rows.SoldBy;
import tierbench.common.Matches;
import tierbench.common.Refusal;
import tierbench.common.Text;

/** What takes an account. */
@Path("/auction")
@Consumes(MediaType.APPLICATION_FORM_URLENCODED)
@Produces(MediaType.TEXT_HTML)
@Blocking
class MembersResource {
  private static final String NICKNAME = "[A-Za-z0-9_.-]{1,20}";

  private final Store store;
  private final Trading trading;
  private final LogIn logIn;

  MembersResource(Store store, Trading trading, LogIn logIn) {
    this.store = store;
    this.trading = trading;
    this.logIn = logIn;
  }

  @POST
  @Path("RegisterUser")
  public TemplateInstance registerUser(
      @RestForm @Text(max = 20) String firstname,
      @RestForm @Text(max = 20) String lastname,
      @RestForm @Matches(NICKNAME) String nickname,
      @RestForm @Text(max = 50) @Pattern(regexp = "(?s).*@.*") String email,
      @RestForm @Text(max = 20) String password,
      @RestForm @Matches(ID) String region) {
    int regionId = Integer.parseInt(region);
    String regionName = store.region(regionId).orElseThrow(() -> Refusal.parameter("region"));
    String hash = LogIn.hash(nickname, password);
    NewUser user = new NewUser(firstname, lastname, nickname, email, hash, regionId);
    // Looks first, so that a refusal uses up no id.
    if (store.isTaken(nickname)) {
      throw Rules.nicknameTaken(nickname);
    }
    int id = store.addUser(user);
    return Pages.registerUser(id, user, regionName, store.registered(id));
  }

  @POST
  @Path("BuyNow")
  public TemplateInstance buyNow(
      @RestForm @Matches(ID) String itemId,
      @RestForm @Matches(NICKNAME) String nickname,
      @RestForm @Text(max = 20) String password) {
    int id = Integer.parseInt(itemId);
    int user = logIn.user(nickname, password);
    Item item = forSale(id);
    Rules.checkBuyer(id, item, item.seller(), user);
    return Pages.buyNow(id, item, store.nickname(item.seller()), logIn.token(user));
  }

  @POST
  @Path("PutBid")
  public TemplateInstance putBid(
      @RestForm @Matches(ID) String itemId,
      @RestForm @Matches(NICKNAME) String nickname,
      @RestForm @Text(max = 20) String password) {
    int id = Integer.parseInt(itemId);
    int user = logIn.user(nickname, password);
    Item item = forSale(id);
    Rules.checkBidder(id, item.open(), item.seller(), user);
    return Pages.putBid(id, item, store.nickname(item.seller()), logIn.token(user));
  }

  @POST
  @Path("PutComment")
  public TemplateInstance putComment(
      @RestForm @Matches(ID) String itemId,
      @RestForm @Matches(ID) String to,
      @RestForm @Matches(NICKNAME) String nickname,
      @RestForm @Text(max = 20) String password) {
    int id = Integer.parseInt(itemId);
    int seller = Integer.parseInt(to);
    int user = logIn.user(nickname, password);
    String name = rateable(id, user, seller).name();
    return Pages.putComment(id, name, seller, store.nickname(seller), logIn.token(user));
  }

  @POST
  @Path("StoreBuyNow")
  public TemplateInstance storeBuyNow(
      @RestForm @Matches(ID) String itemId,
      @RestForm @Text(max = 100) String token,
      @RestForm @Matches(COUNT) String qty) {
    int id = Integer.parseInt(itemId);
    int buyer = logIn.user(token);
    return Pages.storeBuyNow(id, qty, trading.buy(buyer, id, Integer.parseInt(qty)));
  }

  @POST
  @Path("StoreBid")
  public TemplateInstance storeBid(
      @RestForm @Matches(ID) String itemId,
      @RestForm @Text(max = 100) String token,
      @RestForm @Matches(MONEY) String bid,
      @RestForm @Matches(MONEY) String maxBid,
      @RestForm @Matches(COUNT) String qty) {
    int user = logIn.user(token);
    Bid offer =
        new Bid(user, Integer.parseInt(itemId), Integer.parseInt(qty), money(bid), money(maxBid));
    Trading.Placed placed = trading.bid(offer);
    return Pages.storeBid(placed.id(), placed.bidding());
  }

  /** Neither the name nor the seller of an item ever changes, so nothing needs to be locked. */
  @POST
  @Path("StoreComment")
  public TemplateInstance storeComment(
      @RestForm @Matches(ID) String itemId,
      @RestForm @Matches(ID) String to,
      @RestForm @Text(max = 100) String token,
      @RestForm @Matches("-5|-3|0|3|5") String rating,
      @RestForm @Text(max = 2048) String comment) {
    int id = Integer.parseInt(itemId);
    int seller = Integer.parseInt(to);
    int author = logIn.user(token);
    String name = rateable(id, author, seller).name();
    int stored = store.addComment(author, seller, id, Integer.parseInt(rating), comment);
    return Pages.storeComment(stored, id, name, seller, rating, comment);
  }

  @POST
  @Path("SelectCategoryToSellItem")
  public TemplateInstance selectCategoryToSellItem(
      @RestForm @Matches(NICKNAME) String nickname, @RestForm @Text(max = 20) String password) {
    int user = logIn.user(nickname, password);
    return Pages.selectCategoryToSellItem(logIn.token(user), store.categories());
  }

  @POST
  @Path("SellItemForm")
  public TemplateInstance sellItemForm(
      @RestForm @Text(max = 100) String token, @RestForm @Matches(ID) String category) {
    logIn.user(token);
    int id = Integer.parseInt(category);
    return Pages.sellItemForm(token, id, category(id), NewItem.FEE);
  }

  @POST
  @Path("RegisterItem")
  public TemplateInstance registerItem(
      @RestForm @Text(max = 100) String token,
      @RestForm @Matches(ID) String category,
      @RestForm @Text(max = 100) String name,
      @RestForm @Text(max = 8192) String description,
      @RestForm @Matches(MONEY) String initialPrice,
      @RestForm @Matches(MONEY) String reservePrice,
      @RestForm @Matches(MONEY) String buyNow,
      @RestForm @Matches("[1-9]|10") String quantity,
      @RestForm @Matches("[1-7]") String duration) {
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
    String categoryName = category(item.category());
    item.check();
    int id = store.addItem(item);
    return Pages.registerItem(id, item, categoryName, store.period(id), NewItem.FEE);
  }

  @POST
  @Path("AboutMe")
  public TemplateInstance aboutMe(
      @RestForm @Matches(NICKNAME) String nickname, @RestForm @Text(max = 20) String password) {
    return Pages.aboutMe(store.affairs(logIn.user(nickname, password)));
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
