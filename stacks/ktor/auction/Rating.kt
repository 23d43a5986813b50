package auction

import io.ktor.http.Parameters
import io.ktor.server.html.respondHtml
import io.ktor.server.request.receiveParameters
import io.ktor.server.routing.Route
import io.ktor.server.routing.get
import io.ktor.server.routing.post
import kotlinx.html.HTML
import kotlinx.html.a
import kotlinx.html.dl
import kotlinx.html.li
import kotlinx.html.p
import kotlinx.html.ul
import site.Database
import site.WrongParameter
import site.acknowledged
import site.choice
import site.fact
import site.first
import site.id
import site.insert
import site.postForm
import site.text
import site.textField
import site.update
import java.sql.Connection

fun Route.rating(database: Database, logIn: LogIn) {
    get("/PutCommentAuth") {
        val item = call.request.queryParameters.id("itemId")
        val seller = call.request.queryParameters.id("to")
        call.respondHtml {
            logIn("Log in to rate the seller", "/auction/PutComment", item, listOf("itemId" to item, "to" to seller))
        }
    }
    post("/PutComment") {
        val form = call.receiveParameters()
        val item = form.id("itemId")
        val seller = form.id("to")
        val user = logIn.byPassword(form)
        val (name, nickname) = database.use { Pair(it.rateable(item, seller, user), it.nickname(seller)) }
        call.respondHtml { putComment(item, name, seller, nickname, logIn.token(user)) }
    }
    post("/StoreComment") {
        val form = call.receiveParameters()
        val item = form.id("itemId")
        val seller = form.id("to")
        val token = form.token()
        val rating = form.rating()
        val comment = form.text("comment", 2048)
        val opinion = Opinion(logIn.user(token), seller, item, rating, comment)
        val name = database.use { it.rateable(item, seller, opinion.author) }
        val id = database.rate(opinion)
        call.respondHtml { rated(id, name, opinion) }
    }
}

private data class Opinion(val author: Int, val seller: Int, val item: Int, val rating: Int, val comment: String)

private val RATINGS = listOf(
    5 to "5: excellent",
    3 to "3: good",
    0 to "0: neither good nor bad",
    -3 to "-3: poor",
    -5 to "-5: bad",
)

private fun Parameters.rating(): Int =
    RATINGS.find { (rating, _) -> rating.toString() == this["rating"] }?.first ?: throw WrongParameter("rating")

/** The name of an item for which [author] may rate [seller]. */
private fun Connection.rateable(item: Int, seller: Int, author: Int): String {
    fun found(table: String) =
        first("SELECT name, seller FROM $table WHERE id = ?", item) { Pair(it.getString("name"), it.getInt("seller")) }
    val (name, owner) = found("items") ?: found("old_items") ?: throw unknown("item", item)
    if (owner != seller) throw refused(item, "User $seller does not sell item $item.")
    if (author == seller) throw refused(item, "You can't bid on, buy or rate what you sell yourself.")
    return name
}

private suspend fun Database.rate(opinion: Opinion): Int = atomically("comments", "users") { connection ->
    val id = connection.insert(
        "INSERT INTO comments (from_user_id, to_user_id, item_id, rating, date, comment) VALUES (?, ?, ?, ?, $now, ?)",
        opinion.author, opinion.seller, opinion.item, opinion.rating, opinion.comment,
    )
    connection.update("UPDATE users SET rating = rating + ? WHERE id = ?", opinion.rating, opinion.seller)
    id
}

private fun HTML.putComment(item: Int, name: String, seller: Int, nickname: String, token: String) = titled("Rate $nickname") {
    p {
        +"This is about "
        a(href = user(seller)) { +nickname }
        +" and the item "
        a(href = item(item)) { +name }
        +"."
    }
    postForm("/auction/StoreComment", listOf("itemId" to item, "to" to seller, "token" to token), "Publish") {
        choice("Rating", "rating", RATINGS, chosen = 0)
        textField("Comment", "comment", height = 6, most = 2048)
    }
}

private fun HTML.rated(id: Int, name: String, opinion: Opinion) = titled("Your comment is published") {
    p {
        +"We have recorded "
        acknowledged("comment", id)
        +"."
    }
    dl {
        fact("Item") { +name }
        fact("Rating") { +opinion.rating.toString() }
    }
    p("text") { +opinion.comment }
    ul {
        li { a(href = item(opinion.item), classes = "button") { +"Back to the item" } }
        li { a(href = user(opinion.seller)) { +"About the seller" } }
        li { a(href = "/auction/browse.html") { +"Browse the items for sale" } }
    }
}
