package auction

import io.ktor.http.HttpStatusCode
import io.ktor.http.Parameters
import io.ktor.server.html.respondHtml
import io.ktor.server.request.receiveParameters
import io.ktor.server.routing.Route
import io.ktor.server.routing.post
import kotlinx.html.HTML
import kotlinx.html.InputType
import kotlinx.html.a
import kotlinx.html.dl
import kotlinx.html.h2
import kotlinx.html.li
import kotlinx.html.p
import kotlinx.html.ul
import site.Database
import site.Link
import site.Refusal
import site.acknowledged
import site.choice
import site.fact
import site.field
import site.first
import site.id
import site.insert
import site.money
import site.postForm
import site.text
import site.textField
import site.update
import site.whole
import java.math.BigDecimal
import java.time.LocalDateTime

fun Route.selling(database: Database, logIn: LogIn) {
    post("/SelectCategoryToSellItem") {
        val user = logIn.byPassword(call.receiveParameters())
        val categories = database.use { it.categories() }
        call.respondHtml { selectCategory(categories, logIn.token(user)) }
    }
    post("/SellItemForm") {
        val form = call.receiveParameters()
        val token = form.token()
        val category = form.id("category")
        logIn.user(token)
        val name = database.use { it.category(category) }
        call.respondHtml { sellItem(Named(category, name), token) }
    }
    post("/RegisterItem") {
        val form = call.receiveParameters()
        val token = form.token()
        val article = form.article()
        val seller = logIn.user(token)
        val category = database.use { it.category(article.category) }
        article.checkPrices()
        val id = database.sell(article, seller)
        val dates = database.use { connection ->
            connection.first("SELECT start_date, end_date FROM items WHERE id = ?", id) {
                Pair(it.time("start_date"), it.time("end_date"))
            }
        }
        call.respondHtml { sold(id, article, category, dates!!) }
    }
}

private data class Article(
    val category: Int,
    val name: String,
    val description: String,
    val initialPrice: BigDecimal,
    val reservePrice: BigDecimal,
    val buyNow: BigDecimal,
    val quantity: Int,
    val days: Int,
)

private fun Parameters.article() = Article(
    id("category"),
    text("name", 100),
    text("description", 8192),
    money("initialPrice"),
    money("reservePrice"),
    money("buyNow"),
    whole("quantity", 1..10),
    whole("duration", 1..7),
)

private val LEAST = BigDecimal("0.01")
private val FEE = BigDecimal("1.00")
private val FREE = BigDecimal("0.00")

private fun Article.checkPrices() {
    fun refuse(message: String): Nothing =
        throw Refusal(HttpStatusCode.Conflict, message, Link("/auction/sell.html", "Back to selling"))
    if (initialPrice < LEAST) refuse("The first price must be at least 0.01.")
    if (reservePrice > FREE && reservePrice < initialPrice) refuse("The reserve price must be 0 or at least the first price.")
    if (buyNow > FREE && buyNow < maxOf(initialPrice, reservePrice)) {
        refuse("The price to buy at once must be 0 or at least the first and the reserve price.")
    }
}

/** Adds an item, and takes the fee. A length of time can't be a parameter in PostgreSQL; this one is a digit. */
private suspend fun Database.sell(article: Article, seller: Int): Int = atomically("items", "users") { connection ->
    val id = connection.insert(
        "INSERT INTO items (name, description, initial_price, quantity, reserve_price, buy_now, nb_of_bids, start_date, end_date, " +
            "seller, category) VALUES (?, ?, ?, ?, ?, ?, 0, $now, $now + INTERVAL '${article.days}' DAY, ?, ?)",
        article.name,
        article.description,
        article.initialPrice,
        article.quantity,
        article.reservePrice,
        article.buyNow,
        seller,
        article.category,
    )
    connection.update("UPDATE users SET balance = balance - $FEE WHERE id = ?", seller)
    id
}

private fun HTML.selectCategory(categories: List<Named>, token: String) = titled("Choose a category") {
    postForm("/auction/SellItemForm", listOf("token" to token), "Next") {
        choice("Category of what you sell", "category", categories.map { Pair(it.id, it.name) })
    }
}

private fun HTML.sellItem(category: Named, token: String) = titled("Sell an item in ${category.name}") {
    postForm("/auction/RegisterItem", listOf("token" to token, "category" to category.id), "Sell") {
        field("Name", "name", InputType.text) { maxLength = "100" }
        textField("Description", "description", height = 8, most = 8192)
        amount("First price", "initialPrice", LEAST, null)
        amount("Reserve price (0 to sell at any price)", "reservePrice", FREE, FREE)
        amount("Price to buy at once (0 for none)", "buyNow", FREE, FREE)
        field("Quantity", "quantity", InputType.number) {
            min = "1"
            max = "10"
            value = "1"
        }
        field("Duration in days", "duration", InputType.number) {
            min = "1"
            max = "7"
            value = "7"
        }
    }
    p { +"Each auction costs a fee of $FEE." }
}

private fun HTML.sold(id: Int, article: Article, category: String, dates: Pair<LocalDateTime, LocalDateTime>) =
    titled("Your auction has begun") {
        p {
            +"We have recorded "
            acknowledged("item", id)
            +" and taken the fee of $FEE from your balance."
        }
        dl {
            fact("Name") { +article.name }
            fact("Category") { +category }
            fact("First price") { +article.initialPrice.toString() }
            fact("Reserve price") { +article.reservePrice.toString() }
            fact("To buy at once") { +article.buyNow.toString() }
            fact("Quantity") { +article.quantity.toString() }
            fact("Started") { instant(dates.first) }
            fact("Ends") { instant(dates.second) }
        }
        h2 { +"Description" }
        p("text") { +article.description }
        ul {
            li { a(href = item(id), classes = "button") { +"View the item" } }
            li { a(href = "/auction/sell.html") { +"Sell another item" } }
            li { a(href = "/auction/browse.html") { +"Browse the items for sale" } }
        }
    }
