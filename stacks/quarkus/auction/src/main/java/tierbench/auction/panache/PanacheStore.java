package tierbench.auction.panache;

import static java.util.Comparator.comparing;
import static java.util.Comparator.reverseOrder;

import io.quarkus.arc.properties.IfBuildProperty;
import io.quarkus.panache.common.Sort;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.hibernate.exception.ConstraintViolationException;
import tierbench.auction.Affairs;
import tierbench.auction.Bid;
import tierbench.auction.NewItem;
import tierbench.auction.NewUser;
import tierbench.auction.Rows;
import tierbench.auction.Rules;
import tierbench.auction.Store;

@IfBuildProperty(name = "quarkus.hibernate-orm.enabled", stringValue = "true")
@ApplicationScoped
class PanacheStore implements Store {
  @Override
  public List<Rows.Named> categories() {
    return Category.findAll(Sort.by("id")).project(Rows.Named.class).list();
  }

  @Override
  public List<Rows.Named> regions() {
    return Region.findAll(Sort.by("id")).project(Rows.Named.class).list();
  }

  @Override
  public Optional<String> category(int id) {
    return Category.<Category>findByIdOptional(id).map(category -> category.name);
  }

  @Override
  public Optional<String> region(int id) {
    return Region.<Region>findByIdOptional(id).map(region -> region.name);
  }

  @Override
  public List<Rows.FoundItem> inCategory(int category, int page, int size) {
    return Item.inCategory(category, page, size);
  }

  @Override
  public List<Rows.FoundItem> inRegion(int category, int region, int page, int size) {
    return Item.inRegion(category, region, page, size);
  }

  @Override
  public Optional<Rows.Item> itemForSale(int id) {
    return Item.<Item>findByIdOptional(id).map(AnyItem::toRow);
  }

  @Override
  public Optional<Rows.Item> oldItem(int id) {
    return OldItem.<OldItem>findByIdOptional(id).map(AnyItem::toRow);
  }

  private static Optional<AnyItem> any(int id) {
    return Item.<AnyItem>findByIdOptional(id).or(() -> OldItem.findByIdOptional(id));
  }

  @Override
  public Optional<String> itemName(int id) {
    return any(id).map(item -> item.name);
  }

  @Override
  public Optional<Rows.SoldBy> soldBy(int id) {
    return any(id).map(item -> new Rows.SoldBy(item.name, item.sellerId));
  }

  @Override
  public List<Rows.PlacedBid> bidsOn(int item) {
    return PlacedBid.on(item);
  }

  @Override
  public String nickname(int user) {
    return User.<User>findByIdOptional(user).orElseThrow().nickname;
  }

  @Override
  public Optional<Rows.PublicUser> user(int id) {
    return User.<User>findByIdOptional(id)
        .map(user -> new Rows.PublicUser(user.nickname, user.rating, user.creationDate));
  }

  @Override
  public List<Rows.Remark> commentsAbout(int user) {
    return Remark.about(user);
  }

  @Override
  public Optional<Rows.Account> account(String nickname) {
    return User.called(nickname).map(user -> new Rows.Account(user.id, user.password));
  }

  @Override
  public Affairs affairs(int user) {
    List<Rows.Bought> bought =
        Purchase.by(user)
            .sorted(
                comparing(Rows.Bought::date, reverseOrder())
                    .thenComparing(Rows.Bought::id, reverseOrder()))
            .toList();
    List<Rows.Sold> sold =
        Stream.of(Item.sold(user), OldItem.sold(user))
            .flatMap(List::stream)
            .sorted(
                comparing(Rows.Sold::endDate, reverseOrder())
                    .thenComparing(Rows.Sold::id, reverseOrder()))
            .toList();
    return new Affairs(
        User.profile(user),
        Item.withBidsOf(user),
        Item.wonBy(user),
        bought,
        Item.selling(user),
        sold,
        Remark.about(user));
  }

  @Override
  public boolean isTaken(String nickname) {
    return User.count("nickname", nickname) > 0;
  }

  @Override
  @Transactional
  public int addUser(NewUser added) {
    User user = new User();
    user.firstname = added.firstname();
    user.lastname = added.lastname();
    user.nickname = added.nickname();
    user.password = added.password();
    user.email = added.email();
    user.balance = BigDecimal.ZERO;
    user.region = Region.getEntityManager().getReference(Region.class, added.region());
    try {
      user.persistAndFlush();
    } catch (ConstraintViolationException e) {
      throw Rules.nicknameTaken(added.nickname());
    }
    return user.id;
  }

  @Override
  public LocalDateTime registered(int user) {
    return User.<User>findByIdOptional(user).orElseThrow().creationDate;
  }

  /** The database tells when the auction begins, so when it ends is known only then. */
  @Override
  @Transactional
  public int addItem(NewItem added) {
    Item item = new Item();
    item.name = added.name();
    item.description = added.description();
    item.initialPrice = added.initialPrice();
    item.quantity = added.quantity();
    item.reservePrice = added.reservePrice();
    item.buyNow = added.buyNow();
    item.sellerId = added.seller();
    item.categoryId = added.category();
    item.persistAndFlush();
    Item.end(item.id, item.startDate.plusDays(added.days()));
    User.take(added.seller(), NewItem.FEE);
    return item.id;
  }

  @Override
  public Rows.Period period(int id) {
    return Item.find("id", id).project(Rows.Period.class).singleResult();
  }

  @Override
  @Transactional
  public int addComment(int from, int to, int item, int rating, String comment) {
    Remark remark = new Remark();
    remark.author = User.reference(from);
    remark.toUserId = to;
    remark.itemId = item;
    remark.rating = rating;
    remark.comment = comment;
    remark.persist();
    User.rate(to, rating);
    return remark.id;
  }

  @Override
  public Optional<Rows.Biddable> lockForBid(int id) {
    return Item.locked(id)
        .map(
            item ->
                new Rows.Biddable(
                    item.initialPrice, item.quantity, item.maxBid, item.sellerId, item.open));
  }

  @Override
  public Optional<Rows.Sale> lockForPurchase(int id) {
    return Item.locked(id)
        .map(
            item ->
                new Rows.Sale(
                    item.initialPrice,
                    item.quantity,
                    item.buyNow,
                    item.maxBid,
                    item.sellerId,
                    item.open));
  }

  @Override
  public Optional<Rows.Leader> leader(int item) {
    return PlacedBid.leader(item);
  }

  @Override
  public int addBid(Bid added) {
    PlacedBid bid = new PlacedBid();
    bid.user = User.reference(added.user());
    bid.itemId = added.item();
    bid.qty = added.qty();
    bid.bid = added.bid();
    bid.maxBid = added.maxBid();
    bid.persist();
    return bid.id;
  }

  @Override
  public void raise(int id, int more, BigDecimal price) {
    Item item = Item.findById(id);
    item.nbOfBids += more;
    item.maxBid = price;
  }

  @Override
  public int addPurchase(int buyer, int item, int qty) {
    Purchase purchase = new Purchase();
    purchase.buyerId = buyer;
    purchase.itemId = item;
    purchase.qty = qty;
    purchase.persist();
    return purchase.id;
  }

  @Override
  public void take(int id, int qty) {
    Item item = Item.findById(id);
    item.quantity -= qty;
  }

  @Override
  public void close(int id, int purchase) {
    Item item = Item.findById(id);
    item.quantity = 0;
    Purchase last = Purchase.findById(purchase);
    Item.end(id, last.date.minusSeconds(1));
  }
}
