package auction

import io.ktor.http.HttpStatusCode
import site.Database
import site.Link
import site.Refusal
import site.first
import java.math.BigDecimal
import java.sql.Connection

fun refused(item: Int, message: String) =
    Refusal(HttpStatusCode.Conflict, message, Link(item(item), "Back to the item"))

/** What a purchase or a bid depends on, while nobody else can change it. */
data class Lot(
    val item: Int,
    val initialPrice: BigDecimal,
    val quantity: Int,
    val maxBid: BigDecimal?,
    val buyNow: BigDecimal?,
    val seller: Int,
    val isOpen: Boolean,
) {
    constructor(item: Item) : this(
        item.offer.id,
        item.offer.initialPrice,
        item.quantity,
        item.offer.maxBid,
        item.offer.buyNow,
        item.seller,
        item.isOpen,
    )

    val leastBid: BigDecimal get() = maxBid?.let(::centAbove) ?: initialPrice

    /** A user may bid on it or buy it. */
    fun checkMarket(user: Int) {
        if (!isOpen) throw refused(item, "This auction is closed.")
        if (seller == user) throw refused(item, "You can't bid on, buy or rate what you sell yourself.")
    }

    /** A user may buy it at once, for this price. */
    fun checkAtOnce(user: Int): BigDecimal {
        checkMarket(user)
        return buyNow?.takeIf { (maxBid ?: initialPrice) < it } ?: throw refused(item, "This item can't be bought at once.")
    }

    fun checkQuantity(wanted: Int) {
        if (wanted !in 1..quantity) throw refused(item, "The quantity must be from 1 to $quantity.")
    }
}

private val CENT = BigDecimal("0.01")

fun centAbove(amount: BigDecimal): BigDecimal = amount + CENT

/** Locks an item that is for sale. [prices] are the columns of its prices. */
fun Connection.lock(database: Database, item: Int, prices: String, buyNow: String?): Lot = first(
    "SELECT initial_price, quantity, $prices, seller, end_date >= ${database.now} AS open FROM items WHERE id = ? FOR UPDATE",
    item,
) {
    Lot(
        item,
        it.getBigDecimal("initial_price"),
        it.getInt("quantity"),
        it.getBigDecimal("max_bid"),
        buyNow?.let(it::getBigDecimal),
        it.getInt("seller"),
        it.getBoolean("open"),
    )
} ?: throw unknown("item", item)
