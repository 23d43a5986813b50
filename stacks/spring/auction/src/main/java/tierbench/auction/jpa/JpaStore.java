package tierbench.auction.jpa;

import static java.util.Comparator.comparing;
import static java.util.Comparator.reverseOrder;

import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.context.annotation.Profile;
import org.springframework.data.domain.Limit;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Sort;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;
import tierbench.auction.Affairs;
import tierbench.auction.Bid;
import tierbench.auction.NewItem;
import tierbench.auction.NewUser;
import tierbench.auction.Rows;
import tierbench.auction.Store;

@Profile("jpa")
@Repository
class JpaStore implements Store {
  private final Categories categories;
  private final Regions regions;
  private final Users users;
  private final Items items;
  private final OldItems oldItems;
  private final Bids bids;
  private final Purchases purchases;
  private final Remarks remarks;

  JpaStore(
      Categories categories,
      Regions regions,
      Users users,
      Items items,
      OldItems oldItems,
      Bids bids,
      Purchases purchases,
      Remarks remarks) {
    this.categories = categories;
    this.regions = regions;
    this.users = users;
    this.items = items;
    this.oldItems = oldItems;
    this.bids = bids;
    this.purchases = purchases;
    this.remarks = remarks;
  }

  @Override
  public List<Rows.Named> categories() {
    return categories.findAll(Sort.by("id")).stream()
        .map(one -> new Rows.Named(one.id, one.name))
        .toList();
  }

  @Override
  public List<Rows.Named> regions() {
    return regions.findAll(Sort.by("id")).stream()
        .map(one -> new Rows.Named(one.id, one.name))
        .toList();
  }

  @Override
  public Optional<String> category(int id) {
    return categories.findById(id).map(category -> category.name);
  }

  @Override
  public Optional<String> region(int id) {
    return regions.findById(id).map(region -> region.name);
  }

  @Override
  public List<Rows.FoundItem> inCategory(int category, int page, int size) {
    return items.inCategory(category, PageRequest.of(page, size));
  }

  @Override
  public List<Rows.FoundItem> inRegion(int category, int region, int page, int size) {
    return items.inRegion(category, region, PageRequest.of(page, size));
  }

  @Override
  public Optional<Rows.Item> itemForSale(int id) {
    return items.findById(id).map(AnyItem::toRow);
  }

  @Override
  public Optional<Rows.Item> oldItem(int id) {
    return oldItems.findById(id).map(AnyItem::toRow);
  }

  private Optional<AnyItem> any(int id) {
    return items.findById(id).<AnyItem>map(item -> item).or(() -> oldItems.findById(id));
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
    return bids.on(item);
  }

  @Override
  public String nickname(int user) {
    return users.findById(user).orElseThrow().nickname;
  }

  @Override
  public Optional<Rows.PublicUser> user(int id) {
    return users
        .findById(id)
        .map(user -> new Rows.PublicUser(user.nickname, user.rating, user.creationDate));
  }

  @Override
  public List<Rows.Remark> commentsAbout(int user) {
    return remarks.about(user);
  }

  @Override
  public Optional<Rows.Account> account(String nickname) {
    return users.findByNickname(nickname).map(user -> new Rows.Account(user.id, user.password));
  }

  @Override
  @Transactional(readOnly = true)
  public Affairs affairs(int user) {
    List<Rows.Bought> bought =
        Stream.concat(purchases.ofItems(user).stream(), purchases.ofOldItems(user).stream())
            .sorted(
                comparing(Rows.Bought::date, reverseOrder())
                    .thenComparing(Rows.Bought::id, reverseOrder()))
            .toList();
    List<Rows.Sold> sold =
        Stream.concat(items.sold(user).stream(), oldItems.sold(user).stream())
            .sorted(
                comparing(Rows.Sold::endDate, reverseOrder())
                    .thenComparing(Rows.Sold::id, reverseOrder()))
            .toList();
    return new Affairs(
        users.profile(user),
        items.withBidsOf(user),
        items.wonBy(user),
        bought,
        items.selling(user),
        sold,
        remarks.about(user));
  }

  @Override
  public boolean isTaken(String nickname) {
    return users.existsByNickname(nickname);
  }

  @Override
  public int addUser(NewUser added) {
    User user = new User();
    user.firstname = added.firstname();
    user.lastname = added.lastname();
    user.nickname = added.nickname();
    user.password = added.password();
    user.email = added.email();
    user.balance = BigDecimal.ZERO;
    user.region = regions.getReferenceById(added.region());
    return users.save(user).id;
  }

  @Override
  public LocalDateTime registered(int user) {
    return users.findById(user).orElseThrow().creationDate;
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
    items.saveAndFlush(item);
    items.end(item.id, item.startDate.plusDays(added.days()));
    users.take(added.seller(), NewItem.FEE);
    return item.id;
  }

  @Override
  public Rows.Period period(int id) {
    Item item = items.findById(id).orElseThrow();
    return new Rows.Period(item.startDate, item.endDate);
  }

  @Override
  @Transactional
  public int addComment(int from, int to, int item, int rating, String comment) {
    Remark remark = new Remark();
    remark.author = users.getReferenceById(from);
    remark.toUserId = to;
    remark.itemId = item;
    remark.rating = rating;
    remark.comment = comment;
    remarks.save(remark);
    users.rate(to, rating);
    return remark.id;
  }

  @Override
  public Optional<Rows.Biddable> lockForBid(int id) {
    return items
        .lock(id)
        .map(
            item ->
                new Rows.Biddable(
                    item.initialPrice, item.quantity, item.maxBid, item.sellerId, item.open));
  }

  @Override
  public Optional<Rows.Sale> lockForPurchase(int id) {
    return items
        .lock(id)
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
    return bids.leaders(item, Limit.of(1)).stream().findFirst();
  }

  @Override
  public int addBid(Bid added) {
    PlacedBid bid = new PlacedBid();
    bid.user = users.getReferenceById(added.user());
    bid.itemId = added.item();
    bid.qty = added.qty();
    bid.bid = added.bid();
    bid.maxBid = added.maxBid();
    return bids.save(bid).id;
  }

  @Override
  public void raise(int id, int more, BigDecimal price) {
    Item item = items.findById(id).orElseThrow();
    item.nbOfBids += more;
    item.maxBid = price;
  }

  @Override
  public int addPurchase(int buyer, int item, int qty) {
    Purchase purchase = new Purchase();
    purchase.buyerId = buyer;
    purchase.itemId = item;
    purchase.qty = qty;
    return purchases.save(purchase).id;
  }

  @Override
  public void take(int id, int qty) {
    items.findById(id).orElseThrow().quantity -= qty;
  }

  @Override
  public void close(int id, int purchase) {
    items.findById(id).orElseThrow().quantity = 0;
    items.end(id, purchases.findById(purchase).orElseThrow().date.minusSeconds(1));
  }
}
