package auction

import io.ktor.server.html.respondHtml
import io.ktor.server.request.receiveParameters
import io.ktor.server.routing.Route
import io.ktor.server.routing.post
import kotlinx.html.FlowContent
import kotlinx.html.HTML
import kotlinx.html.TR
import kotlinx.html.a
import kotlinx.html.caption
import kotlinx.html.div
import kotlinx.html.h2
import kotlinx.html.p
import kotlinx.html.table
import kotlinx.html.tbody
import kotlinx.html.td
import kotlinx.html.tr
import site.Database
import site.first
import site.query
import java.math.BigDecimal
import java.sql.Connection
import java.time.LocalDateTime

fun Route.aboutMe(database: Database, logIn: LogIn) {
    post("/AboutMe") {
        val user = logIn.byPassword(call.receiveParameters())
        val affairs = database.use { it.affairs(user) }
        call.respondHtml { aboutMe(affairs) }
    }
}

/** All that a user has to do with. */
private data class Affairs(
    val account: Account,
    val bids: List<OwnBid>,
    val won: List<Won>,
    val bought: List<Bought>,
    val selling: List<Selling>,
    val sold: List<Sold>,
    val comments: List<Comment>,
)

private data class OwnBid(val offer: Offer, val bid: BigDecimal, val most: BigDecimal)

private data class Won(
    val item: Int,
    val name: String,
    val price: BigDecimal,
    val seller: Int,
    val nickname: String,
    val ended: LocalDateTime,
)

private data class Bought(val item: Int, val name: String, val price: BigDecimal, val quantity: Int, val date: LocalDateTime)

private data class Selling(val offer: Offer, val quantity: Int, val reserve: BigDecimal)

private data class Sold(
    val item: Int,
    val name: String,
    val quantity: Int,
    val reserve: BigDecimal,
    val highest: BigDecimal?,
    val ended: LocalDateTime,
) {
    val outcome
        get() = when {
            quantity == 0 -> "bought"
            highest != null && highest >= reserve -> "sold"
            else -> "not sold"
        }
}

private fun Connection.affairs(user: Int) =
    Affairs(account(user), ownBids(user), won(user), bought(user), selling(user), sold(user), commentsAbout(user))

private fun Connection.account(user: Int): Account = first(
    "SELECT u.firstname, u.lastname, u.nickname, u.email, u.rating, u.balance, u.creation_date, r.name AS region " +
        "FROM users u JOIN regions r ON r.id = u.region WHERE u.id = ?",
    user,
) {
    Account(
        "${it.getString("firstname")} ${it.getString("lastname")}",
        it.getString("nickname"),
        it.getString("email"),
        it.getString("region"),
        it.getInt("rating"),
        it.getBigDecimal("balance"),
        it.time("creation_date"),
    )
} ?: throw unknown("user", user)

private fun Connection.ownBids(user: Int) = query(
    "SELECT i.id, i.name, i.initial_price, i.max_bid, i.nb_of_bids, i.end_date, MAX(b.bid) AS own_bid, MAX(b.max_bid) AS own_most " +
        "FROM bids b JOIN items i ON i.id = b.item_id WHERE b.user_id = ? AND i.end_date >= NOW() " +
        "GROUP BY i.id, i.name, i.initial_price, i.max_bid, i.nb_of_bids, i.end_date ORDER BY i.end_date, i.id",
    user,
) {
    val offer = Offer(
        it.getInt("id"),
        it.getString("name"),
        it.getBigDecimal("initial_price"),
        it.getBigDecimal("max_bid"),
        it.getInt("nb_of_bids"),
        BigDecimal.ZERO,
        it.time("end_date"),
    )
    OwnBid(offer, it.getBigDecimal("own_bid"), it.getBigDecimal("own_most"))
}

private fun Connection.won(user: Int) = query(
    "SELECT i.id, i.name, i.max_bid, i.end_date, i.seller, u.nickname FROM items i JOIN users u ON u.id = i.seller " +
        "WHERE i.id IN (SELECT item_id FROM bids WHERE user_id = ?) AND i.end_date < NOW() AND i.quantity > 0 " +
        "AND i.max_bid >= i.reserve_price " +
        "AND (SELECT b.user_id FROM bids b WHERE b.item_id = i.id ORDER BY b.max_bid DESC, b.id LIMIT 1) = ? " +
        "ORDER BY i.end_date DESC, i.id DESC",
    user, user,
) {
    Won(
        it.getInt("id"),
        it.getString("name"),
        it.getBigDecimal("max_bid"),
        it.getInt("seller"),
        it.getString("nickname"),
        it.time("end_date"),
    )
}

private fun Connection.bought(user: Int): List<Bought> {
    fun from(table: String) =
        "SELECT p.id, p.item_id, p.qty, p.date, i.name, i.buy_now FROM buy_now p JOIN $table i ON i.id = p.item_id " +
            "WHERE p.buyer_id = ? AND p.date >= NOW() - INTERVAL '30' DAY"
    return query("${from("items")} UNION ALL ${from("old_items")} ORDER BY date DESC, id DESC", user, user) {
        Bought(it.getInt("item_id"), it.getString("name"), it.getBigDecimal("buy_now"), it.getInt("qty"), it.time("date"))
    }
}

private fun Connection.selling(user: Int) = query(
    "SELECT id, name, initial_price, quantity, reserve_price, buy_now, nb_of_bids, max_bid, end_date FROM items " +
        "WHERE seller = ? AND end_date >= NOW() ORDER BY end_date, id",
    user,
) { Selling(offer(it.getInt("id"), it), it.getInt("quantity"), it.getBigDecimal("reserve_price")) }

private fun Connection.sold(user: Int) = query(
    "SELECT id, name, quantity, reserve_price, max_bid, end_date FROM items " +
        "WHERE seller = ? AND end_date < NOW() AND end_date >= NOW() - INTERVAL '30' DAY " +
        "UNION ALL SELECT id, name, quantity, reserve_price, max_bid, end_date FROM old_items " +
        "WHERE seller = ? AND end_date >= NOW() - INTERVAL '30' DAY ORDER BY end_date DESC, id DESC",
    user, user,
) {
    Sold(
        it.getInt("id"),
        it.getString("name"),
        it.getInt("quantity"),
        it.getBigDecimal("reserve_price"),
        it.getBigDecimal("max_bid"),
        it.time("end_date"),
    )
}

private fun HTML.aboutMe(affairs: Affairs) = titled("About ${affairs.account.nickname}") {
    facts(affairs.account)
    bids(affairs.bids)
    won(affairs.won)
    bought(affairs.bought)
    selling(affairs.selling)
    sold(affairs.sold)
    h2 { +"Comments about you" }
    comments(affairs.comments)
}

/** A heading, and below it a table or what is said where it would be empty. */
private fun <T> FlowContent.section(
    heading: String,
    none: String,
    caption: String,
    columns: List<Pair<String, Boolean>>,
    entries: List<T>,
    row: TR.(T) -> Unit,
) {
    h2 { +heading }
    if (entries.isEmpty()) {
        p { +none }
        return
    }
    div("wide") {
        table {
            caption { +caption }
            columns(*columns.toTypedArray())
            tbody { entries.forEach { entry -> tr { row(entry) } } }
        }
    }
}

private fun FlowContent.bids(bids: List<OwnBid>) = section(
    "Your bids",
    "You have no bids on open auctions.",
    "Open auctions on which you bid, those that end first on top",
    listOf(
        "Item" to false, "Price" to true, "Your bid" to true, "Your most" to true, "Bids" to true, "Ends" to false, "Bid" to false,
    ),
    bids,
) { own ->
    rowLink(item(own.offer.id), own.offer.name)
    number(own.offer.price)
    number(own.bid)
    number(own.most)
    number(own.offer.bids)
    td { instant(own.offer.ends) }
    td { bidLink(own.offer) }
}

private fun FlowContent.won(won: List<Won>) = section(
    "Won",
    "You have won no auction.",
    "Auctions that you have won, the last on top",
    listOf("Item" to false, "Price" to true, "Seller" to false, "Ended" to false),
    won,
) { won ->
    rowLink(item(won.item), won.name)
    number(won.price)
    td { a(href = user(won.seller)) { +won.nickname } }
    td { instant(won.ended) }
}

private fun FlowContent.bought(bought: List<Bought>) = section(
    "Bought",
    "You have bought nothing at once in the last 30 days.",
    "What you have bought at once in the last 30 days, the last on top",
    listOf("Item" to false, "Price of one" to true, "Quantity" to true, "Date" to false),
    bought,
) { bought ->
    rowLink(item(bought.item), bought.name)
    number(bought.price)
    number(bought.quantity)
    td { instant(bought.date) }
}

private fun FlowContent.selling(selling: List<Selling>) = section(
    "Selling",
    "You have no open auctions.",
    "Your open auctions, those that end first on top",
    listOf(
        "Item" to false, "Price" to true, "Bids" to true, "Quantity" to true, "Reserve price" to true, "To buy at once" to true,
        "Ends" to false,
    ),
    selling,
) { own ->
    rowLink(item(own.offer.id), own.offer.name)
    number(own.offer.price)
    number(own.offer.bids)
    number(own.quantity)
    number(own.reserve)
    number(own.offer.buyNow)
    td { instant(own.offer.ends) }
}

private fun FlowContent.sold(sold: List<Sold>) = section(
    "Sold",
    "None of your auctions has ended in the last 30 days.",
    "Your auctions that ended in the last 30 days, the last on top",
    listOf("Item" to false, "Highest bid" to true, "Quantity left" to true, "Outcome" to false, "Ended" to false),
    sold,
) { own ->
    rowLink(item(own.item), own.name)
    number(own.highest ?: "none")
    number(own.quantity)
    td { +own.outcome }
    td { instant(own.ended) }
}
