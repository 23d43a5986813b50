package auction

import io.ktor.http.HttpStatusCode
import site.Refusal
import site.first
import site.query
import java.math.BigDecimal
import java.sql.Connection
import java.sql.ResultSet
import java.time.LocalDateTime

/** A category or a region. */
data class Named(val id: Int, val name: String)

/** An item as lists show it; whoever reads it knows that its auction is open. */
data class Offer(
    val id: Int,
    val name: String,
    val initialPrice: BigDecimal,
    val maxBid: BigDecimal?,
    val bids: Int,
    val buyNow: BigDecimal,
    val ends: LocalDateTime,
) {
    val price get() = maxBid ?: initialPrice

    /** The price to buy it at once, while the bids are below it. */
    val atOnce get() = buyNow.takeIf { price < it }
}

/** An item with all that its page shows. */
data class Item(
    val offer: Offer,
    val description: String,
    val quantity: Int,
    val started: LocalDateTime,
    val seller: Int,
    val sellerName: String,
    val category: Int,
    val isOpen: Boolean,
) {
    val atOnce get() = offer.atOnce.takeIf { isOpen }
}

data class Bid(val user: Int, val nickname: String, val bid: BigDecimal, val quantity: Int, val date: LocalDateTime)

data class Comment(val author: Int, val nickname: String, val item: Int, val rating: Int, val date: LocalDateTime, val comment: String)

data class User(val nickname: String, val rating: Int, val registered: LocalDateTime)

fun ResultSet.time(column: String): LocalDateTime = getObject(column, LocalDateTime::class.java)

fun unknown(what: String, id: Int) = Refusal(HttpStatusCode.NotFound, "There is no $what $id.")

fun Connection.categories() = query("SELECT id, name FROM categories ORDER BY id", row = ::named)

fun Connection.regions() = query("SELECT id, name FROM regions ORDER BY id", row = ::named)

private fun named(row: ResultSet) = Named(row.getInt("id"), row.getString("name"))

fun Connection.category(id: Int): String =
    first("SELECT name FROM categories WHERE id = ?", id) { it.getString("name") } ?: throw unknown("category", id)

fun Connection.region(id: Int): String? = first("SELECT name FROM regions WHERE id = ?", id) { it.getString("name") }

fun Connection.offersInCategory(category: Int, page: Page) = query(
    "SELECT id, name, initial_price, max_bid, nb_of_bids, buy_now, end_date FROM items " +
        "WHERE category = ? AND end_date >= NOW() ORDER BY end_date, id LIMIT ? OFFSET ?",
    category, page.size, page.offset,
) { offer(it.getInt("id"), it) }

fun Connection.offersInRegion(category: Int, region: Int, page: Page) = query(
    "SELECT i.id, i.name, i.initial_price, i.max_bid, i.nb_of_bids, i.buy_now, i.end_date " +
        "FROM items i JOIN users u ON u.id = i.seller " +
        "WHERE i.category = ? AND u.region = ? AND i.end_date >= NOW() ORDER BY i.end_date, i.id LIMIT ? OFFSET ?",
    category, region, page.size, page.offset,
) { offer(it.getInt("id"), it) }

fun offer(id: Int, row: ResultSet) = Offer(
    id,
    row.getString("name"),
    row.getBigDecimal("initial_price"),
    row.getBigDecimal("max_bid"),
    row.getInt("nb_of_bids"),
    row.getBigDecimal("buy_now"),
    row.time("end_date"),
)

/** An item of the table [table], without its seller's name. */
private fun Connection.item(table: String, id: Int): Item? = first(
    "SELECT name, description, initial_price, quantity, buy_now, nb_of_bids, max_bid, start_date, end_date, seller, category, " +
        "end_date >= NOW() AS open FROM $table WHERE id = ?",
    id,
) {
    Item(
        offer(id, it),
        it.getString("description"),
        it.getInt("quantity"),
        it.time("start_date"),
        it.getInt("seller"),
        "",
        it.getInt("category"),
        it.getBoolean("open"),
    )
}

fun Connection.withSeller(item: Item) = item.copy(sellerName = nickname(item.seller))

fun Connection.nickname(user: Int): String =
    first("SELECT nickname FROM users WHERE id = ?", user) { it.getString("nickname") } ?: throw unknown("user", user)

/** An item that is for sale. */
fun Connection.item(id: Int): Item = item("items", id) ?: throw unknown("item", id)

/** An item that is or was for sale. */
fun Connection.itemOrOld(id: Int): Item = withSeller(item("items", id) ?: item("old_items", id) ?: throw unknown("item", id))

fun Connection.nameOfItem(id: Int): String {
    fun name(table: String) = first("SELECT name FROM $table WHERE id = ?", id) { it.getString("name") }
    return name("items") ?: name("old_items") ?: throw unknown("item", id)
}

fun Connection.bids(item: Int) = query(
    "SELECT b.user_id, u.nickname, b.bid, b.qty, b.date FROM bids b JOIN users u ON u.id = b.user_id " +
        "WHERE b.item_id = ? ORDER BY b.date DESC, b.id DESC",
    item,
) { Bid(it.getInt("user_id"), it.getString("nickname"), it.getBigDecimal("bid"), it.getInt("qty"), it.time("date")) }

fun Connection.user(id: Int): User = first("SELECT nickname, rating, creation_date FROM users WHERE id = ?", id) {
    User(it.getString("nickname"), it.getInt("rating"), it.time("creation_date"))
} ?: throw unknown("user", id)

fun Connection.commentsAbout(user: Int) = query(
    "SELECT c.from_user_id, u.nickname, c.item_id, c.rating, c.date, c.comment " +
        "FROM comments c JOIN users u ON u.id = c.from_user_id WHERE c.to_user_id = ? ORDER BY c.date DESC, c.id DESC",
    user,
) {
    Comment(
        it.getInt("from_user_id"),
        it.getString("nickname"),
        it.getInt("item_id"),
        it.getInt("rating"),
        it.time("date"),
        it.getString("comment"),
    )
}
