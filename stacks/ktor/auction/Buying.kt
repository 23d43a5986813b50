package auction

import io.ktor.server.html.respondHtml
import io.ktor.server.request.receiveParameters
import io.ktor.server.routing.Route
import io.ktor.server.routing.get
import io.ktor.server.routing.post
import kotlinx.html.FlowContent
import kotlinx.html.HTML
import kotlinx.html.InputType
import kotlinx.html.MAIN
import kotlinx.html.a
import kotlinx.html.dl
import kotlinx.html.h1
import kotlinx.html.h2
import kotlinx.html.img
import kotlinx.html.li
import kotlinx.html.p
import kotlinx.html.ul
import site.Database
import site.acknowledged
import site.fact
import site.field
import site.id
import site.insert
import site.postForm
import site.update
import site.whole
import java.math.BigDecimal

fun Route.buying(database: Database, logIn: LogIn) {
    get("/BuyNowAuth") {
        val item = call.request.queryParameters.id("itemId")
        call.respondHtml { logIn("Log in to buy now", "/auction/BuyNow", item) }
    }
    post("/BuyNow") {
        val form = call.receiveParameters()
        val id = form.id("itemId")
        val user = logIn.byPassword(form)
        val item = database.use { connection ->
            val item = connection.item(id)
            Lot(item).checkAtOnce(user)
            connection.withSeller(item)
        }
        call.respondHtml { buyNow(item, logIn.token(user)) }
    }
    post("/StoreBuyNow") {
        val form = call.receiveParameters()
        val id = form.id("itemId")
        val token = form.token()
        val wanted = form.whole("qty", 0..999_999_999)
        val user = logIn.user(token)
        val purchase = database.buy(user, id, wanted)
        call.respondHtml { bought(purchase) }
    }
}

private data class Purchase(val id: Int, val item: Int, val quantity: Int, val price: BigDecimal, val seller: Int)

/** Takes copies from an item, and closes its auction with the last one. */
private suspend fun Database.buy(user: Int, item: Int, wanted: Int): Purchase = atomically("items", "buy_now") { connection ->
    val lot = connection.lock(this, item, "buy_now, max_bid", "buy_now")
    val price = lot.checkAtOnce(user)
    lot.checkQuantity(wanted)
    val id = connection.insert("INSERT INTO buy_now (buyer_id, item_id, qty, date) VALUES (?, ?, ?, $now)", user, item, wanted)
    if (wanted < lot.quantity) {
        connection.update("UPDATE items SET quantity = quantity - ? WHERE id = ?", wanted, item)
    } else {
        connection.update("UPDATE items SET quantity = 0, end_date = $now - INTERVAL '1' SECOND WHERE id = ?", item)
    }
    Purchase(id, item, wanted, price, lot.seller)
}

/** A page whose heading has a picture. */
fun HTML.pictured(picture: String, title: String, content: MAIN.() -> Unit) = LAYOUT.page(this, title) {
    h1 {
        img(src = "/auction/$picture.svg", alt = "") {
            width = "40"
            height = "40"
        }
        +" $title"
    }
    content()
}

fun FlowContent.quantity(most: Int) = field("Quantity", "qty", InputType.number) {
    min = "1"
    max = most.toString()
    value = "1"
}

/** The end of the forms for buying an item. */
fun FlowContent.described(item: Item) {
    h2 { +"Description" }
    p("text") { +item.description }
    backTo(item.offer.id)
}

private fun HTML.buyNow(item: Item, token: String) = pictured("buy", "Buy ${item.offer.name} now") {
    facts(item)
    postForm("/auction/StoreBuyNow", listOf("itemId" to item.offer.id, "token" to token), "Buy now") { quantity(item.quantity) }
    described(item)
}

private fun HTML.bought(purchase: Purchase) = pictured("buy", "You have bought it") {
    p {
        +"We have recorded "
        acknowledged("purchase", purchase.id)
        +"."
    }
    dl {
        fact("Price of one", "price") { +purchase.price.toString() }
        fact("Quantity") { +purchase.quantity.toString() }
    }
    ul {
        li { a(href = item(purchase.item), classes = "button") { +"Back to the item" } }
        li { a(href = user(purchase.seller)) { +"About the seller" } }
        li { a(href = "/auction/browse.html") { +"Browse the items for sale" } }
    }
}
