package site

import io.ktor.http.HttpStatusCode
import io.ktor.http.Parameters
import java.math.BigDecimal

/** A refusal of a request: the status and the text of the error page, and perhaps a link onward. */
open class Refusal(val status: HttpStatusCode, message: String, val onward: Link? = null) : Exception(message, null, false, false)

/** An address and its text. */
data class Link(val href: String, val text: String)

class WrongParameter(name: String) :
    Refusal(HttpStatusCode.BadRequest, "The parameter $name is missing, repeated or malformed.")

private val ID = Regex("[1-9][0-9]{0,8}")

/** A text that is there. No database takes a NUL. */
fun Parameters.text(name: String, most: Int): String {
    val value = this[name].orEmpty()
    val fits = value.isNotEmpty() && value.codePointCount(0, value.length) <= most
    if (!fits || '\u0000' in value) throw WrongParameter(name)
    return value
}

/** An address, as far as anybody checks one. */
fun Parameters.email(name: String, most: Int): String = text(name, most).also { if ('@' !in it) throw WrongParameter(name) }

/** The id of a row. */
fun Parameters.id(name: String): Int = this[name]?.takeIf(ID::matches)?.toInt() ?: throw WrongParameter(name)

/** A whole number that is written without needless zeros. */
fun Parameters.whole(name: String, range: IntRange): Int =
    this[name]?.toIntOrNull()?.takeIf { it in range && it.toString() == this[name] } ?: throw WrongParameter(name)

private val MONEY = Regex("[0-9]{1,10}(\\.[0-9]{1,2})?")

/** An amount of money. */
fun Parameters.money(name: String): BigDecimal =
    this[name]?.takeIf(MONEY::matches)?.toBigDecimal()?.setScale(2) ?: throw WrongParameter(name)
