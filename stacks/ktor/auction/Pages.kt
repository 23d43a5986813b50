package auction

import kotlinx.html.FlowContent
import kotlinx.html.FlowOrPhrasingContent
import kotlinx.html.HTML
import kotlinx.html.MAIN
import kotlinx.html.TABLE
import kotlinx.html.TIME
import kotlinx.html.TR
import kotlinx.html.ThScope
import kotlinx.html.a
import kotlinx.html.caption
import kotlinx.html.div
import kotlinx.html.dl
import kotlinx.html.h1
import kotlinx.html.h2
import kotlinx.html.li
import kotlinx.html.nav
import kotlinx.html.ol
import kotlinx.html.p
import kotlinx.html.table
import kotlinx.html.tbody
import kotlinx.html.td
import kotlinx.html.th
import kotlinx.html.thead
import kotlinx.html.tr
import kotlinx.html.ul
import kotlinx.html.visit
import site.Layout
import site.Link
import site.fact
import site.links
import java.time.LocalDateTime
import java.time.format.DateTimeFormatter

val LAYOUT = Layout(
    "auction",
    "Auction",
    listOf(
        Link("/auction/index.html", "Home"),
        Link("/auction/browse.html", "Browse"),
        Link("/auction/sell.html", "Sell"),
        Link("/auction/about_me.html", "About me"),
        Link("/auction/register.html", "Register"),
    ),
    "The auction of tierbench, after RUBiS.",
)

/** A page whose heading is its title. */
fun HTML.titled(title: String, content: MAIN.() -> Unit) = LAYOUT.page(this, title) {
    h1 { +title }
    content()
}

private val SHOWN = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss")
private val MACHINE = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss'Z'")

fun FlowOrPhrasingContent.instant(time: LocalDateTime) =
    TIME(mapOf("datetime" to MACHINE.format(time)), consumer).visit { +SHOWN.format(time) }

/** The head of a table: the names of its columns, each with `true` if it has numbers. */
fun TABLE.columns(vararg columns: Pair<String, Boolean>) = thead {
    tr { columns.forEach { (name, isNumber) -> th(scope = ThScope.col, classes = if (isNumber) "number" else null) { +name } } }
}

fun TR.number(value: Any) = td("number") { +value.toString() }

fun TR.rowLink(href: String, text: String) = th(scope = ThScope.row) { a(href = href) { +text } }

fun item(id: Int) = "/auction/ViewItem?itemId=$id"

fun user(id: Int) = "/auction/ViewUserInfo?userId=$id"

fun HTML.list(title: String, entries: List<Link>) = titled(title) { links(entries, "columns") }

fun HTML.search(title: String, offers: List<Offer>, page: Page, up: Link, href: (Page) -> String) = titled(title) {
    if (offers.isEmpty()) p { +"There are no more items here." } else offersTable(offers)
    val previous = page.copy(number = page.number - 1).takeIf { page.number > 0 }
    val next = page.copy(number = page.number + 1).takeIf { offers.size == page.size && page.number < 999_999 }
    if (previous != null || next != null) {
        nav {
            attributes["aria-label"] = "Pages"
            ul {
                previous?.let {
                    li {
                        a(href = href(it)) {
                            rel = "prev"
                            +"Previous page"
                        }
                    }
                }
                next?.let {
                    li {
                        a(href = href(it)) {
                            rel = "next"
                            +"Next page"
                        }
                    }
                }
            }
        }
    }
    p { a(href = up.href) { +up.text } }
}

private fun FlowContent.offersTable(offers: List<Offer>) = table("items") {
    caption { +"Items for sale, those that end first on top" }
    columns("Item" to false, "Price" to true, "Bids" to true, "Ends" to false, "Buy now" to false, "Bid" to false)
    tbody {
        offers.forEach { offer ->
            tr {
                rowLink(item(offer.id), offer.name)
                number(offer.price)
                number(offer.bids)
                td { instant(offer.ends) }
                td {
                    offer.atOnce?.let { price ->
                        a(href = "/auction/BuyNowAuth?itemId=${offer.id}") {
                            attributes["aria-label"] = "Buy ${offer.name} now for $price"
                            +price.toString()
                        }
                    }
                }
                td { bidLink(offer) }
            }
        }
    }
}

fun FlowContent.bidLink(offer: Offer) = a(href = "/auction/PutBidAuth?itemId=${offer.id}") {
    attributes["aria-label"] = "Bid on ${offer.name}"
    +"Bid"
}

/** What the page of an item and the forms for buying it have in common. */
fun FlowContent.facts(item: Item) {
    val offer = item.offer
    dl {
        fact("Current price", "price") { +offer.price.toString() }
        item.atOnce?.let { price -> fact("To buy at once") { +price.toString() } }
        fact("First price") { +offer.initialPrice.toString() }
        fact("Bids") { +offer.bids.toString() }
        fact("Quantity") { +item.quantity.toString() }
        fact("Seller") { a(href = user(item.seller)) { +item.sellerName } }
        fact("Started") { instant(item.started) }
        fact("Ends") { instant(offer.ends) }
    }
    ul {
        li { a(href = "/auction/ViewBidHistory?itemId=${offer.id}") { +"All bids on this item" } }
        li { a(href = "/auction/PutCommentAuth?itemId=${offer.id}&to=${item.seller}") { +"Rate the seller" } }
    }
}

fun HTML.viewItem(item: Item) = titled(item.offer.name) {
    val id = item.offer.id
    facts(item)
    if (item.isOpen) {
        ul {
            li { a(href = "/auction/PutBidAuth?itemId=$id", classes = "button") { +"Bid on this item" } }
            item.atOnce?.let { price ->
                li { a(href = "/auction/BuyNowAuth?itemId=$id", classes = "button") { +"Buy this item now for $price" } }
            }
        }
    } else {
        p { +"This auction is closed." }
    }
    h2 { +"Description" }
    p("text") { +item.description }
    p { a(href = inCategory(item.category)) { +"More items in this category" } }
}

fun HTML.viewUser(user: User, comments: List<Comment>) = titled("About ${user.nickname}") {
    dl {
        fact("Rating", "price") { +user.rating.toString() }
        fact("Registered") { instant(user.registered) }
    }
    h2 { +"Comments" }
    comments(comments)
}

fun FlowContent.comments(comments: List<Comment>) {
    if (comments.isEmpty()) {
        p { +"There are no comments." }
        return
    }
    ol("comments") {
        comments.forEach { comment ->
            li {
                p {
                    +"Rating ${comment.rating} by "
                    a(href = user(comment.author)) { +comment.nickname }
                    +" for "
                    a(href = item(comment.item)) { +"item ${comment.item}" }
                    +", "
                    instant(comment.date)
                }
                p("text") { +comment.comment }
            }
        }
    }
}

fun HTML.bidHistory(id: Int, name: String, bids: List<Bid>) = titled("Bids on $name") {
    if (bids.isEmpty()) {
        p { +"There are no bids." }
    } else {
        div("wide") {
            table {
                caption { +"All bids, the last on top" }
                columns("Bidder" to false, "Bid" to true, "Quantity" to true, "Date" to false)
                tbody {
                    bids.forEach { bid ->
                        tr {
                            rowLink(user(bid.user), bid.nickname)
                            number(bid.bid)
                            number(bid.quantity)
                            td { instant(bid.date) }
                        }
                    }
                }
            }
        }
    }
    p { a(href = item(id)) { +"Back to the item" } }
}
