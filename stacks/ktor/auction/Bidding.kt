package auction

import io.ktor.server.html.respondHtml
import io.ktor.server.request.receiveParameters
import io.ktor.server.routing.Route
import io.ktor.server.routing.get
import io.ktor.server.routing.post
import kotlinx.html.FlowContent
import kotlinx.html.HTML
import kotlinx.html.InputType
import kotlinx.html.a
import kotlinx.html.dl
import kotlinx.html.li
import kotlinx.html.p
import kotlinx.html.ul
import site.Database
import site.acknowledged
import site.fact
import site.field
import site.first
import site.id
import site.insert
import site.money
import site.postForm
import site.update
import site.whole
import java.math.BigDecimal
import java.sql.Connection

fun Route.bidding(database: Database, logIn: LogIn) {
    get("/PutBidAuth") {
        val item = call.request.queryParameters.id("itemId")
        call.respondHtml { logIn("Log in to bid", "/auction/PutBid", item) }
    }
    post("/PutBid") {
        val form = call.receiveParameters()
        val id = form.id("itemId")
        val user = logIn.byPassword(form)
        val item = database.use { connection ->
            val item = connection.item(id)
            Lot(item).checkMarket(user)
            connection.withSeller(item)
        }
        call.respondHtml { putBid(item, logIn.token(user)) }
    }
    post("/StoreBid") {
        val form = call.receiveParameters()
        val item = form.id("itemId")
        val token = form.token()
        val bid = form.money("bid")
        val most = form.money("maxBid")
        val wanted = form.whole("qty", 0..999_999_999)
        val placed = database.place(Proposal(logIn.user(token), item, wanted, bid, most))
        call.respondHtml { placed(placed) }
    }
}

/** A bid, and the most that its bidder would bid. */
private data class Proposal(val user: Int, val item: Int, val quantity: Int, val bid: BigDecimal, val most: BigDecimal)

/** A bid as it was recorded; [price] is what the item costs now. */
private data class Placed(val id: Int, val proposal: Proposal, val leads: Boolean, val price: BigDecimal)

private suspend fun Database.place(proposal: Proposal): Placed = atomically("items", "bids") { connection ->
    val lot = connection.lock(this, proposal.item, "max_bid", null)
    lot.check(proposal)
    val rows = rows(proposal, connection.leader(proposal.item)?.takeIf { it.user != proposal.user })
    val ids = rows.map { connection.record(this, it) }
    val price = rows.last().bid
    connection.update("UPDATE items SET nb_of_bids = nb_of_bids + ?, max_bid = ? WHERE id = ?", rows.size, price, proposal.item)
    Placed(ids.first(), rows.first(), rows.size == 1, price)
}

private fun Lot.check(proposal: Proposal) {
    checkMarket(proposal.user)
    checkQuantity(proposal.quantity)
    if (proposal.bid < leastBid) throw refused(item, "The bid must be at least $leastBid.")
    if (proposal.most < proposal.bid) throw refused(item, "The most you would bid must not be less than your bid.")
}

/** The bid with the highest most; of equal ones the first. */
private fun Connection.leader(item: Int): Proposal? = first(
    "SELECT user_id, qty, max_bid FROM bids WHERE item_id = ? ORDER BY max_bid DESC, id LIMIT 1",
    item,
) { Proposal(it.getInt("user_id"), item, it.getInt("qty"), it.getBigDecimal("max_bid"), it.getBigDecimal("max_bid")) }

/** What is recorded: the proposal at the price that its bidder has to pay, and the answer of another [leader] who stays ahead. */
private fun rows(proposal: Proposal, leader: Proposal?): List<Proposal> = when {
    leader == null -> listOf(proposal)
    leader.most >= proposal.most ->
        listOf(proposal.copy(bid = proposal.most), leader.copy(bid = minOf(leader.most, centAbove(proposal.most))))
    else -> listOf(proposal.copy(bid = maxOf(proposal.bid, minOf(proposal.most, centAbove(leader.most)))))
}

private fun Connection.record(database: Database, proposal: Proposal): Int = insert(
    "INSERT INTO bids (user_id, item_id, qty, bid, max_bid, date) VALUES (?, ?, ?, ?, ?, ${database.now})",
    proposal.user, proposal.item, proposal.quantity, proposal.bid, proposal.most,
)

private fun HTML.putBid(item: Item, token: String) = pictured("bid", "Bid on ${item.offer.name}") {
    facts(item)
    val least = Lot(item).leastBid
    postForm("/auction/StoreBid", listOf("itemId" to item.offer.id, "token" to token), "Bid") {
        amount("Your bid", "bid", least, least)
        amount("The most you would bid", "maxBid", least, least)
        quantity(item.quantity)
    }
    p { +"We bid for you, a cent above the others, up to the most you would bid." }
    described(item)
}

fun FlowContent.amount(text: String, name: String, least: BigDecimal, given: BigDecimal?) = field(text, name, InputType.number) {
    min = least.toString()
    step = "0.01"
    given?.let { value = it.toString() }
}

private fun HTML.placed(placed: Placed) = pictured("bid", "Your bid is placed") {
    p {
        +"We have recorded "
        acknowledged("bid", placed.id)
        +"."
    }
    if (placed.leads) {
        p { +"You are the highest bidder at ${placed.price}." }
    } else {
        p { +"You have been outbid: the price is now ${placed.price}." }
    }
    dl {
        fact("Bid", "price") { +placed.proposal.bid.toString() }
        fact("The most you would bid") { +placed.proposal.most.toString() }
        fact("Quantity") { +placed.proposal.quantity.toString() }
    }
    ul {
        li { a(href = item(placed.proposal.item), classes = "button") { +"Back to the item" } }
        li { a(href = "/auction/browse.html") { +"Browse the items for sale" } }
    }
}
