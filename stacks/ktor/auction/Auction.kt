package auction

import io.ktor.http.Parameters
import io.ktor.server.application.Application
import io.ktor.server.html.respondHtml
import io.ktor.server.routing.Route
import io.ktor.server.routing.get
import io.ktor.server.routing.route
import io.ktor.server.routing.routing
import site.Database
import site.Link
import site.id
import site.refusals
import site.whole

/** The auction. */
fun Application.auction(database: Database) {
    refusals(LAYOUT)
    val logIn = LogIn(database, System.getenv("TIERBENCH_TOKEN_KEY"))
    routing {
        route("/auction") {
            browsing(database)
            viewing(database)
            registering(database)
            buying(database, logIn)
            bidding(database, logIn)
            rating(database, logIn)
            selling(database, logIn)
            aboutMe(database, logIn)
        }
    }
}

/** A page of a list, counted from 0. */
data class Page(val number: Int, val size: Int) {
    val offset get() = number.toLong() * size
}

private fun Parameters.page() = Page(whole("page", 0..999_999), whole("nbOfItems", 1..100))

private fun Route.browsing(database: Database) {
    get("/BrowseCategories") {
        val categories = database.use { it.categories() }
        call.respondHtml { list("Categories", categories.map { Link(inCategory(it.id), it.name) }) }
    }
    get("/BrowseRegions") {
        val regions = database.use { it.regions() }
        call.respondHtml { list("Regions", regions.map { Link(categoriesIn(it.id), it.name) }) }
    }
    get("/BrowseCategoriesInRegion") {
        val region = call.request.queryParameters.id("region")
        val (name, categories) = database.use { Pair(it.region(region) ?: throw unknown("region", region), it.categories()) }
        call.respondHtml { list("Categories in $name", categories.map { Link(inRegion(it.id, region), it.name) }) }
    }
    get("/SearchItemsInCategory") {
        val category = call.request.queryParameters.id("category")
        val page = call.request.queryParameters.page()
        val (name, offers) = database.use { Pair(it.category(category), it.offersInCategory(category, page)) }
        val up = Link("/auction/BrowseCategories", "All categories")
        call.respondHtml { search(name, offers, page, up) { inCategory(category, it) } }
    }
    get("/SearchItemsInRegion") {
        val category = call.request.queryParameters.id("category")
        val region = call.request.queryParameters.id("region")
        val page = call.request.queryParameters.page()
        val (name, regionName, offers) = database.use {
            Triple(
                it.category(category),
                it.region(region) ?: throw unknown("region", region),
                it.offersInRegion(category, region, page),
            )
        }
        val up = Link(categoriesIn(region), "All categories in $regionName")
        call.respondHtml { search("$name in $regionName", offers, page, up) { inRegion(category, region, it) } }
    }
}

private val FIRST = Page(0, 20)

fun inCategory(category: Int, page: Page = FIRST) =
    "/auction/SearchItemsInCategory?category=$category&page=${page.number}&nbOfItems=${page.size}"

private fun inRegion(category: Int, region: Int, page: Page = FIRST) =
    "/auction/SearchItemsInRegion?category=$category&region=$region&page=${page.number}&nbOfItems=${page.size}"

private fun categoriesIn(region: Int) = "/auction/BrowseCategoriesInRegion?region=$region"

private fun Route.viewing(database: Database) {
    get("/ViewItem") {
        val id = call.request.queryParameters.id("itemId")
        val item = database.use { it.itemOrOld(id) }
        call.respondHtml { viewItem(item) }
    }
    get("/ViewUserInfo") {
        val id = call.request.queryParameters.id("userId")
        val (user, comments) = database.use { Pair(it.user(id), it.commentsAbout(id)) }
        call.respondHtml { viewUser(user, comments) }
    }
    get("/ViewBidHistory") {
        val id = call.request.queryParameters.id("itemId")
        val (name, bids) = database.use { Pair(it.nameOfItem(id), it.bids(id)) }
        call.respondHtml { bidHistory(id, name, bids) }
    }
}
