package site

import kotlinx.html.DD
import kotlinx.html.DIV
import kotlinx.html.DL
import kotlinx.html.DT
import kotlinx.html.FlowContent
import kotlinx.html.HTML
import kotlinx.html.HTMLTag
import kotlinx.html.HtmlInlineTag
import kotlinx.html.MAIN
import kotlinx.html.TagConsumer
import kotlinx.html.a
import kotlinx.html.body
import kotlinx.html.footer
import kotlinx.html.head
import kotlinx.html.header
import kotlinx.html.img
import kotlinx.html.lang
import kotlinx.html.li
import kotlinx.html.link
import kotlinx.html.main
import kotlinx.html.meta
import kotlinx.html.nav
import kotlinx.html.p
import kotlinx.html.title
import kotlinx.html.ul
import kotlinx.html.visit

/** What all pages of an application have in common. */
class Layout(private val name: String, private val title: String, private val menu: List<Link>, private val credit: String) {
    fun page(html: HTML, heading: String, content: MAIN.() -> Unit) = with(html) {
        lang = "en"
        head {
            meta { charset = "utf-8" }
            meta(name = "viewport", content = "width=device-width, initial-scale=1")
            title("$heading – ${this@Layout.title}")
            link(rel = "icon", href = "/$name/logo.svg", type = "image/svg+xml")
            link(rel = "stylesheet", href = "/$name/style.css")
        }
        body {
            header {
                img(src = "/$name/logo.svg", alt = this@Layout.title) {
                    width = "32"
                    height = "32"
                }
                nav {
                    attributes["aria-label"] = "Main"
                    links(menu)
                }
            }
            main { content() }
            footer { p { +credit } }
        }
    }
}

/** A list of links. */
fun FlowContent.links(links: List<Link>, classes: String? = null) = ul(classes) {
    links.forEach { link -> li { a(href = link.href) { +link.text } } }
}

/** A row of a list of facts, in an element of its own as HTML allows it. */
fun DL.fact(name: String, classes: String? = null, value: DD.() -> Unit) = DIV(emptyMap(), consumer).visit {
    DT(emptyMap(), consumer).visit { +name }
    DD(classes?.let { mapOf("class" to it) }.orEmpty(), consumer).visit(value)
}

/** The element `data`, which Kotlin's library lacks. */
class DATA(attributes: Map<String, String>, override val consumer: TagConsumer<*>) :
    HTMLTag("data", consumer, attributes, null, inlineTag = true, emptyTag = false), HtmlInlineTag

/** The id of a new row, as a page acknowledges it. */
fun FlowContent.acknowledged(what: String, id: Int) =
    DATA(mapOf("class" to "acknowledged", "value" to id.toString()), consumer).visit { +"$what $id" }
