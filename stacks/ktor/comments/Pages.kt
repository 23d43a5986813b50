package comments

import kotlinx.html.HTML
import kotlinx.html.ThScope
import kotlinx.html.a
import kotlinx.html.caption
import kotlinx.html.h1
import kotlinx.html.p
import kotlinx.html.table
import kotlinx.html.tbody
import kotlinx.html.td
import kotlinx.html.th
import kotlinx.html.thead
import kotlinx.html.tr
import site.Layout
import site.Link
import site.acknowledged

val LAYOUT = Layout(
    "comments",
    "Comments",
    listOf(Link("/comments/index.html", "Write a comment"), Link("/comments/ListComments", "Read the comments")),
    "The comment page of tierbench, after Gousios and Spinellis.",
)

fun HTML.stored(id: Int, comment: Comment) = LAYOUT.page(this, "Your comment is published") {
    h1 { +"Your comment is published" }
    p {
        +"We have recorded "
        acknowledged("comment", id)
        +" by ${comment.name}."
    }
    p("text") { +comment.comment }
    p { a(href = "/comments/ListComments", classes = "button") { +"Read all comments" } }
}

fun HTML.list(comments: List<Comment>) = LAYOUT.page(this, "Comments") {
    h1 { +"Comments" }
    if (comments.isEmpty()) {
        p { +"There are no comments." }
    } else {
        table {
            caption { +"All comments, the oldest first" }
            thead { tr { listOf("Name", "Email address", "Comment").forEach { th(scope = ThScope.col) { +it } } } }
            tbody {
                comments.forEach { comment ->
                    tr {
                        th(scope = ThScope.row) { +comment.name }
                        td { +comment.email }
                        td("text") { +comment.comment }
                    }
                }
            }
        }
    }
}
