package site

import kotlinx.html.ButtonType
import kotlinx.html.DD
import kotlinx.html.DIV
import kotlinx.html.DL
import kotlinx.html.DT
import kotlinx.html.FORM
import kotlinx.html.FlowContent
import kotlinx.html.FormMethod
import kotlinx.html.HTML
import kotlinx.html.HTMLTag
import kotlinx.html.HtmlInlineTag
import kotlinx.html.INPUT
import kotlinx.html.InputType
import kotlinx.html.MAIN
import kotlinx.html.TagConsumer
import kotlinx.html.a
import kotlinx.html.body
import kotlinx.html.button
import kotlinx.html.footer
import kotlinx.html.form
import kotlinx.html.head
import kotlinx.html.header
import kotlinx.html.id
import kotlinx.html.img
import kotlinx.html.input
import kotlinx.html.label
import kotlinx.html.lang
import kotlinx.html.li
import kotlinx.html.link
import kotlinx.html.main
import kotlinx.html.meta
import kotlinx.html.nav
import kotlinx.html.option
import kotlinx.html.p
import kotlinx.html.select
import kotlinx.html.textArea
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

/** A field of a form with its label. */
fun FlowContent.field(text: String, name: String, type: InputType, settings: INPUT.() -> Unit) = p {
    label {
        htmlFor = name
        +text
    }
    +" "
    input(type = type, name = name) {
        id = name
        required = true
        settings()
    }
}

/** A field for a text of several lines. */
fun FlowContent.textField(text: String, name: String, height: Int, most: Int) = p {
    label {
        htmlFor = name
        +text
    }
    +" "
    textArea {
        id = name
        this.name = name
        rows = height.toString()
        maxLength = most.toString()
        required = true
    }
}

/** A field with the choices [options], whose values come first. */
fun FlowContent.choice(text: String, name: String, options: List<Pair<Int, String>>, chosen: Int? = null) = p {
    label {
        htmlFor = name
        +text
    }
    +" "
    select {
        id = name
        this.name = name
        required = true
        options.forEach { (value, shown) ->
            option {
                this.value = value.toString()
                if (value == chosen) selected = true
                +shown
            }
        }
    }
}

/** A form that is posted to [action], with values that nobody sees. */
fun FlowContent.postForm(action: String, hidden: List<Pair<String, Any>>, button: String, fields: FORM.() -> Unit) =
    form(action = action, method = FormMethod.post) {
        hidden.forEach { (name, value) -> input(type = InputType.hidden, name = name) { this.value = value.toString() } }
        fields()
        p { button(type = ButtonType.submit) { +button } }
    }
