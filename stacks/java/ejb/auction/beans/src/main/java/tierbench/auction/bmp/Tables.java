package tierbench.auction.bmp;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import tierbench.auction.entities.BidRow;
import tierbench.auction.entities.CommentRow;
import tierbench.auction.entities.IdsRow;
import tierbench.auction.entities.ItemRow;
import tierbench.auction.entities.NamedRow;
import tierbench.auction.entities.PurchaseRow;
import tierbench.auction.entities.UserRow;
import tierbench.common.Money;
import tierbench.common.data.Columns;

/** The tables, and how their rows are read and written. */
final class Tables {
  static final Table<ItemRow> ITEMS = items("items");
  static final Table<ItemRow> OLD_ITEMS = items("old_items");

  static final Table<UserRow> USERS =
      new Table<>(
          "users",
          List.of(
              "id",
              "firstname",
              "lastname",
              "nickname",
              "password",
              "email",
              "rating",
              "balance",
              "creation_date",
              "region"),
          row ->
              new UserRow(
                  row.getInt("id"),
                  row.getString("firstname"),
                  row.getString("lastname"),
                  row.getString("nickname"),
                  row.getString("password"),
                  row.getString("email"),
                  row.getInt("rating"),
                  Columns.money(row, "balance"),
                  Columns.instant(row, "creation_date"),
                  row.getInt("region")),
          row ->
              List.of(
                  row.id(),
                  row.firstname(),
                  row.lastname(),
                  row.nickname(),
                  row.password(),
                  row.email(),
                  row.rating(),
                  row.balance(),
                  row.created(),
                  row.region()),
          "rating = ?, balance = ?",
          row -> List.of(row.rating(), row.balance(), row.id()));

  static final Table<BidRow> BIDS =
      Table.ofConstants(
          "bids",
          List.of("id", "user_id", "item_id", "qty", "bid", "max_bid", "date"),
          row ->
              new BidRow(
                  row.getInt("id"),
                  row.getInt("user_id"),
                  row.getInt("item_id"),
                  row.getInt("qty"),
                  Columns.money(row, "bid"),
                  Columns.money(row, "max_bid"),
                  Columns.instant(row, "date")),
          row ->
              List.of(
                  row.id(),
                  row.user(),
                  row.item(),
                  row.quantity(),
                  row.amount(),
                  row.most(),
                  row.placed()));

  static final Table<CommentRow> COMMENTS =
      Table.ofConstants(
          "comments",
          List.of("id", "from_user_id", "to_user_id", "item_id", "rating", "date", "comment"),
          row ->
              new CommentRow(
                  row.getInt("id"),
                  row.getInt("from_user_id"),
                  row.getInt("to_user_id"),
                  row.getInt("item_id"),
                  row.getInt("rating"),
                  Columns.instant(row, "date"),
                  row.getString("comment")),
          row ->
              List.of(
                  row.id(),
                  row.author(),
                  row.about(),
                  row.item(),
                  row.rating(),
                  row.written(),
                  row.text()));

  static final Table<PurchaseRow> PURCHASES =
      Table.ofConstants(
          "buy_now",
          List.of("id", "buyer_id", "item_id", "qty", "date"),
          row ->
              new PurchaseRow(
                  row.getInt("id"),
                  row.getInt("buyer_id"),
                  row.getInt("item_id"),
                  row.getInt("qty"),
                  Columns.instant(row, "date")),
          row -> List.of(row.id(), row.buyer(), row.item(), row.quantity(), row.bought()));

  static final Table<NamedRow> CATEGORIES = names("categories");
  static final Table<NamedRow> REGIONS = names("regions");

  static final Table<IdsRow> IDS =
      Table.ofConstants(
          "ids", List.of("id"), row -> new IdsRow(row.getInt("id")), row -> List.of(row.id()));

  private Tables() {}

  private static Table<ItemRow> items(String name) {
    return new Table<>(
        name,
        List.of(
            "id",
            "name",
            "description",
            "initial_price",
            "quantity",
            "reserve_price",
            "buy_now",
            "nb_of_bids",
            "max_bid",
            "start_date",
            "end_date",
            "seller",
            "category"),
        Tables::item,
        // The highest bid may be missing, which no other list can hold.
        row ->
            Arrays.asList(
                row.id(),
                row.name(),
                row.description(),
                row.initialPrice(),
                row.quantity(),
                row.reservePrice(),
                row.buyNow(),
                row.bids(),
                row.highestBid().orElse(null),
                row.start(),
                row.end(),
                row.seller(),
                row.category()),
        "quantity = ?, nb_of_bids = ?, max_bid = ?, end_date = ?",
        row ->
            Arrays.asList(
                row.quantity(), row.bids(), row.highestBid().orElse(null), row.end(), row.id()));
  }

  private static ItemRow item(ResultSet row) throws SQLException {
    return new ItemRow(
        row.getInt("id"),
        row.getString("name"),
        row.getString("description"),
        Columns.money(row, "initial_price"),
        row.getInt("quantity"),
        Columns.money(row, "reserve_price"),
        Columns.money(row, "buy_now"),
        row.getInt("nb_of_bids"),
        Optional.ofNullable(row.getBigDecimal("max_bid")).map(Money::of),
        Columns.instant(row, "start_date"),
        Columns.instant(row, "end_date"),
        row.getInt("seller"),
        row.getInt("category"));
  }

  private static Table<NamedRow> names(String name) {
    return Table.ofConstants(
        name,
        List.of("id", "name"),
        row -> new NamedRow(row.getInt("id"), row.getString("name")),
        row -> List.of(row.id(), row.name()));
  }
}
