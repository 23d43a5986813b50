package site

import io.ktor.http.HttpStatusCode
import io.ktor.http.URLDecodeException
import io.ktor.server.application.Application
import io.ktor.server.application.ApplicationCall
import io.ktor.server.application.install
import io.ktor.server.html.respondHtml
import io.ktor.server.plugins.statuspages.StatusPages
import kotlinx.html.a
import kotlinx.html.h1
import kotlinx.html.p
import java.io.IOException

/** Shows refusals as pages of the application. */
fun Application.refusals(layout: Layout) = install(StatusPages) {
    suspend fun show(call: ApplicationCall, refusal: Refusal) = call.respondHtml(refusal.status) {
        val heading = HEADINGS.getValue(refusal.status)
        layout.page(this, heading) {
            h1 { +heading }
            p { +refusal.message!! }
            refusal.onward?.let { link -> p { a(href = link.href, classes = "button") { +link.text } } }
        }
    }
    exception<Refusal> { call, refusal -> show(call, refusal) }
    // Ktor would answer a broken escape, and a multipart body without a boundary, with 500.
    val malformed = Refusal(HttpStatusCode.BadRequest, "The request is malformed.")
    exception<URLDecodeException> { call, _ -> show(call, malformed) }
    exception<IOException> { call, _ -> show(call, malformed) }
    status(HttpStatusCode.NotFound) { call, status -> show(call, Refusal(status, "There is no such page.")) }
}

private val HEADINGS = mapOf(
    HttpStatusCode.BadRequest to "Bad request",
    HttpStatusCode.Forbidden to "Access denied",
    HttpStatusCode.NotFound to "Not found",
    HttpStatusCode.Conflict to "Refused",
)
