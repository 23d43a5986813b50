package comments

import io.ktor.server.application.Application
import io.ktor.server.html.respondHtml
import io.ktor.server.request.receiveParameters
import io.ktor.server.routing.get
import io.ktor.server.routing.post
import io.ktor.server.routing.route
import io.ktor.server.routing.routing
import site.Database
import site.email
import site.insert
import site.query
import site.refusals
import site.text

data class Comment(val name: String, val email: String, val comment: String)

/** The comment page. */
fun Application.comments(database: Database) {
    refusals(LAYOUT)
    routing {
        route("/comments") {
            post("/StoreComment") {
                val form = call.receiveParameters()
                val comment = Comment(form.text("name", 50), form.email("email", 80), form.text("comment", 2048))
                val id = database.use {
                    it.insert("INSERT INTO comments (name, email, comment) VALUES (?, ?, ?)", comment.name, comment.email, comment.comment)
                }
                call.respondHtml { stored(id, comment) }
            }
            get("/ListComments") {
                val comments = database.use { connection ->
                    connection.query("SELECT * FROM comments ORDER BY id") {
                        Comment(it.getString("name"), it.getString("email"), it.getString("comment"))
                    }
                }
                call.respondHtml { list(comments) }
            }
        }
    }
}
