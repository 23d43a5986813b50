package tierbench.bookstore.entities;

import static tierbench.ejb.Found.maker;
import static tierbench.ejb.Found.many;
import static tierbench.ejb.Found.manyToChange;
import static tierbench.ejb.Found.one;
import static tierbench.ejb.Found.oneToChange;

import java.util.List;
import tierbench.bookstore.rules.Country;
import tierbench.bookstore.rules.NewAddress;
import tierbench.ejb.Found;
import tierbench.ejb.Homes;
import tierbench.ejb.LocalHome;
import tierbench.ejb.Maker;
import tierbench.ejb.Many;
import tierbench.ejb.ManyToChange;
import tierbench.ejb.One;
import tierbench.ejb.OneToChange;

/**
 * The homes of all entities, looked up once, and called from within their container. Of those that
 * others may change meanwhile there are two: one that is only shown, and one whose row is locked as
 * it is read.
 */
public record Entities(
    Books books,
    One<Integer, AuthorRow> authors,
    Customers customers,
    Addresses addresses,
    Countries countries,
    Carts carts,
    CartLines cartLines,
    Orders orders,
    OrderLines orderLines,
    Payments payments,
    OneToChange<Integer, TurnRow> turns) {

  public record Books(
      One<Integer, BookRow> byId,
      OneToChange<Integer, BookRow> locked,
      Many<List<Integer>, BookRow> related) {}

  public record Customers(
      One<Integer, CustomerRow> byId,
      OneToChange<Integer, CustomerRow> locked,
      One<String, CustomerRow> byUname,
      Maker<CustomerRow> newOnes) {}

  public record Addresses(
      One<Integer, AddressRow> byId,
      Many<NewAddress, AddressRow> same,
      Maker<AddressRow> newOnes) {}

  public record Countries(One<Integer, Country> byId, Many<Integer, Country> ofNobody) {
    public List<Country> all() {
      return ofNobody.of(0);
    }
  }

  public record Carts(
      One<Integer, CartRow> byId, OneToChange<Integer, CartRow> locked, Maker<CartRow> newOnes) {}

  public record CartLines(ManyToChange<Integer, CartLineRow> ofCart, Maker<CartLineRow> newOnes) {}

  public record Orders(One<Integer, OrderRow> byId, Maker<OrderRow> newOnes) {}

  public record OrderLines(Many<Integer, OrderLineRow> ofOrder, Maker<OrderLineRow> newOnes) {}

  public record Payments(One<Integer, PaymentRow> ofOrder, Maker<PaymentRow> newOnes) {}

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

  /** Of those that are found by their numbers alone, so that their home is none of their own. */
  @SuppressWarnings("unchecked")
  private static <R extends Record> LocalHome<R> plain(Homes homes, String name) {
    return homes.home(name, LocalHome.class);
  }

  private static <R extends Record> OneToChange<Integer, R> locked(Homes homes, String name) {
    LocalHome<R> home = plain(homes, name);
    return oneToChange(home::findByPrimaryKey, Found::near);
  }

  private static One<Integer, AuthorRow> authors(Homes homes) {
    LocalHome<AuthorRow> home = plain(homes, "Author");
    return one(home::findByPrimaryKey, Found::near);
  }

  private static Books books(Homes homes) {
    LocalBooks home = homes.home("Book", LocalBooks.class);
    return new Books(
        one(home::findByPrimaryKey, Found::near),
        locked(homes, "LockedBook"),
        many(
            ids -> home.findRelated(ids.get(0), ids.get(1), ids.get(2), ids.get(3), ids.get(4)),
            Found::near));
  }

  private static Customers customers(Homes homes) {
    LocalCustomers home = homes.home("Customer", LocalCustomers.class);
    return new Customers(
        one(home::findByPrimaryKey, Found::near),
        locked(homes, "LockedCustomer"),
        one(home::findByUname, Found::near),
        maker(home::create));
  }

  private static Addresses addresses(Homes homes) {
    LocalAddresses home = homes.home("Address", LocalAddresses.class);
    return new Addresses(
        one(home::findByPrimaryKey, Found::near),
        many(
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
    LocalCountries home = homes.home("Country", LocalCountries.class);
    return new Countries(
        one(home::findByPrimaryKey, Found::near), many(unused -> home.findAll(), Found::near));
  }

  private static Carts carts(Homes homes) {
    LocalCarts home = homes.home("Cart", LocalCarts.class);
    return new Carts(
        one(home::findByPrimaryKey, Found::near), locked(homes, "LockedCart"), maker(home::create));
  }

  private static CartLines cartLines(Homes homes) {
    LocalCartLines home = homes.home("CartLine", LocalCartLines.class);
    return new CartLines(manyToChange(home::findOfCart, Found::near), maker(home::create));
  }

  private static Orders orders(Homes homes) {
    LocalOrders home = homes.home("Order", LocalOrders.class);
    return new Orders(one(home::findByPrimaryKey, Found::near), maker(home::create));
  }

  private static OrderLines orderLines(Homes homes) {
    LocalOrderLines home = homes.home("OrderLine", LocalOrderLines.class);
    return new OrderLines(many(home::findOfOrder, Found::near), maker(home::create));
  }

  private static Payments payments(Homes homes) {
    LocalPayments home = homes.home("Payment", LocalPayments.class);
    return new Payments(one(home::findByPrimaryKey, Found::near), maker(home::create));
  }
}
