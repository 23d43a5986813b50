package tierbench.bookstore.entities;

import static tierbench.ejb.Found.finder;
import static tierbench.ejb.Found.listFinder;
import static tierbench.ejb.Found.listUpdateFinder;
import static tierbench.ejb.Found.maker;
import static tierbench.ejb.Found.updateFinder;

import java.util.List;
import tierbench.bookstore.rules.Country;
import tierbench.bookstore.rules.NewAddress;
import tierbench.ejb.Finder;
import tierbench.ejb.Found;
import tierbench.ejb.Homes;
import tierbench.ejb.ListFinder;
import tierbench.ejb.ListUpdateFinder;
import tierbench.ejb.LocalHome;
import tierbench.ejb.Maker;
import tierbench.ejb.UpdateFinder;

/**
 * The homes of all entities, looked up once, and called from within their container. Of those that
 * others may change meanwhile there are two: one that is only shown, and one whose row is locked as
 * it is read.
 */
public record Entities(
    Books books,
    Finder<Integer, AuthorRow> authors,
    Customers customers,
    Addresses addresses,
    Countries countries,
    Carts carts,
    CartLines cartLines,
    Orders orders,
    OrderLines orderLines,
    Payments payments,
    UpdateFinder<Integer, TurnRow> turns) {

  public record Books(
      Finder<Integer, BookRow> byId,
      UpdateFinder<Integer, BookRow> locked,
      ListFinder<List<Integer>, BookRow> related) {}

  public record Customers(
      Finder<Integer, CustomerRow> byId,
      UpdateFinder<Integer, CustomerRow> locked,
      Finder<String, CustomerRow> byUname,
      Maker<CustomerRow> newOnes) {}

  public record Addresses(
      Finder<Integer, AddressRow> byId,
      ListFinder<NewAddress, AddressRow> same,
      Maker<AddressRow> newOnes) {}

  public record Countries(Finder<Integer, Country> byId, ListFinder<Integer, Country> ofNobody) {
    public List<Country> all() {
      return ofNobody.of(0);
    }
  }

  public record Carts(
      Finder<Integer, CartRow> byId,
      UpdateFinder<Integer, CartRow> locked,
      Maker<CartRow> newOnes) {}

  public record CartLines(
      ListUpdateFinder<Integer, CartLineRow> ofCart, Maker<CartLineRow> newOnes) {}

  public record Orders(Finder<Integer, OrderRow> byId, Maker<OrderRow> newOnes) {}

  public record OrderLines(
      ListFinder<Integer, OrderLineRow> ofOrder, Maker<OrderLineRow> newOnes) {}

  public record Payments(Finder<Integer, PaymentRow> ofOrder, Maker<PaymentRow> newOnes) {}

  public static Entities from(Homes homes) {
    return new Entities(
        books(homes),
        authors(homes),
        customers(homes),
        addresses(homes),
        countries(homes),
        carts(homes),
        cartLines(homes),
        orders(homes),
        orderLines(homes),
        payments(homes),
        locked(homes, "Turn"));
  }

  /**
   * The home of entities that are found by their primary keys alone, and need no home interface of
   * their own.
   */
  @SuppressWarnings("unchecked")
  private static <R extends Record> LocalHome<R> plain(Homes homes, String name) {
    return homes.home(name, LocalHome.class);
  }

  private static <R extends Record> UpdateFinder<Integer, R> locked(Homes homes, String name) {
    LocalHome<R> home = plain(homes, name);
    return updateFinder(home::findByPrimaryKey, Found::near);
  }

  private static Finder<Integer, AuthorRow> authors(Homes homes) {
    LocalHome<AuthorRow> home = plain(homes, "Author");
    return finder(home::findByPrimaryKey, Found::near);
  }

  private static Books books(Homes homes) {
    BookLocalHome home = homes.home("Book", BookLocalHome.class);
    return new Books(
        finder(home::findByPrimaryKey, Found::near),
        locked(homes, "LockedBook"),
        listFinder(
            ids -> home.findRelated(ids.get(0), ids.get(1), ids.get(2), ids.get(3), ids.get(4)),
            Found::near));
  }

  private static Customers customers(Homes homes) {
    CustomerLocalHome home = homes.home("Customer", CustomerLocalHome.class);
    return new Customers(
        finder(home::findByPrimaryKey, Found::near),
        locked(homes, "LockedCustomer"),
        finder(home::findByUname, Found::near),
        maker(home::create));
  }

  private static Addresses addresses(Homes homes) {
    AddressLocalHome home = homes.home("Address", AddressLocalHome.class);
    return new Addresses(
        finder(home::findByPrimaryKey, Found::near),
        listFinder(
            address ->
                home.findSame(
                    address.zip(),
                    address.street1(),
                    address.street2(),
                    address.city(),
                    address.state(),
                    address.country()),
            Found::near),
        maker(home::create));
  }

  private static Countries countries(Homes homes) {
    CountryLocalHome home = homes.home("Country", CountryLocalHome.class);
    return new Countries(
        finder(home::findByPrimaryKey, Found::near),
        listFinder(unused -> home.findAll(), Found::near));
  }

  private static Carts carts(Homes homes) {
    CartLocalHome home = homes.home("Cart", CartLocalHome.class);
    return new Carts(
        finder(home::findByPrimaryKey, Found::near),
        locked(homes, "LockedCart"),
        maker(home::create));
  }

  private static CartLines cartLines(Homes homes) {
    CartLineLocalHome home = homes.home("CartLine", CartLineLocalHome.class);
    return new CartLines(listUpdateFinder(home::findOfCart, Found::near), maker(home::create));
  }

  private static Orders orders(Homes homes) {
    OrderLocalHome home = homes.home("Order", OrderLocalHome.class);
    return new Orders(finder(home::findByPrimaryKey, Found::near), maker(home::create));
  }

  private static OrderLines orderLines(Homes homes) {
    OrderLineLocalHome home = homes.home("OrderLine", OrderLineLocalHome.class);
    return new OrderLines(listFinder(home::findOfOrder, Found::near), maker(home::create));
  }

  private static Payments payments(Homes homes) {
    PaymentLocalHome home = homes.home("Payment", PaymentLocalHome.class);
    return new Payments(finder(home::findByPrimaryKey, Found::near), maker(home::create));
  }
}
