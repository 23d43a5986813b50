package tierbench.auction;

import io.quarkus.qute.CheckedTemplate;
import io.quarkus.qute.TemplateInstance;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import tierbench.auction.Rows.FoundItem;
import tierbench.auction.Rows.Item;
import tierbench.auction.Rows.Named;
import tierbench.auction.Rows.Period;
import tierbench.auction.Rows.PlacedBid;
import tierbench.auction.Rows.PublicUser;
import tierbench.auction.Rows.Remark;

/** The pages, whose templates are called alike. Quarkus checks what they use when it builds. */
@CheckedTemplate(defaultName = CheckedTemplate.UNDERSCORED_ELEMENT_NAME)
final class Pages {
  private Pages() {}

  record Link(String href, String text) {}

  static native TemplateInstance list(String title, List<Link> links);

  static native TemplateInstance search(
      String title, List<FoundItem> items, String previous, String next, Link up);

  static native TemplateInstance viewItem(int itemId, Item item, String seller);

  static native TemplateInstance viewUserInfo(PublicUser user, List<Remark> comments);

  static native TemplateInstance viewBidHistory(int itemId, String name, List<PlacedBid> bids);

  static native TemplateInstance logIn(String title, String action, Map<String, String> hidden);

  static native TemplateInstance registerUser(
      int id, NewUser user, String region, LocalDateTime registered);

  static native TemplateInstance buyNow(int itemId, Item item, String seller, String token);

  static native TemplateInstance putBid(int itemId, Item item, String seller, String token);

  static native TemplateInstance putComment(
      int itemId, String name, int to, String seller, String token);

  static native TemplateInstance storeBuyNow(int itemId, String qty, Trading.Bought sale);

  static native TemplateInstance storeBid(int id, Bidding bidding);

  static native TemplateInstance storeComment(
      int id, int itemId, String name, int to, String rating, String comment);

  static native TemplateInstance selectCategoryToSellItem(String token, List<Named> categories);

  static native TemplateInstance sellItemForm(
      String token, int category, String name, BigDecimal fee);

  static native TemplateInstance registerItem(
      int id, NewItem item, String category, Period period, BigDecimal fee);

  static native TemplateInstance aboutMe(Affairs my);
}
