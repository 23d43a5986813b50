package auction

import io.ktor.http.HttpStatusCode
import io.ktor.http.Parameters
import kotlinx.html.FlowContent
import kotlinx.html.HTML
import kotlinx.html.InputType
import kotlinx.html.a
import kotlinx.html.p
import site.Database
import site.Link
import site.Refusal
import site.WrongParameter
import site.field
import site.first
import site.postForm
import site.text
import java.security.MessageDigest
import java.time.Instant
import java.util.HexFormat
import javax.crypto.Mac
import javax.crypto.spec.SecretKeySpec

private const val ALGORITHM = "HmacSHA256"
private const val LIFETIME = 3600

/** Who a request is from: it brings a password, or the token that was given out for one. */
class LogIn(private val database: Database, key: String) {
    private val key = SecretKeySpec(key.toByteArray(), ALGORITHM)

    /** The user whose nickname and password a form has. */
    suspend fun byPassword(form: Parameters): Int {
        val nickname = form.nickname()
        val password = form.text("password", 20)
        val user = database.use { connection ->
            connection.first("SELECT id, password FROM users WHERE nickname = ?", nickname) {
                Pair(it.getInt("id"), it.getString("password"))
            }
        }
        val (id, stored) = user ?: throw wrongLogIn()
        if (!isSame(stored, passwordHash(nickname, password))) throw wrongLogIn()
        return id
    }

    fun token(user: Int): String {
        val signed = "$user.${Instant.now().epochSecond + LIFETIME}"
        return "$signed.${signature(signed)}"
    }

    /** The user to whom a token was given out. */
    fun user(token: String): Int {
        val signed = token.substringBeforeLast('.')
        if (!isSame(token.substringAfterLast('.'), signature(signed))) throw wrongToken()
        val (user, expires) = signed.split('.')
        if (expires.toLong() < Instant.now().epochSecond) throw wrongToken()
        return user.toInt()
    }

    private fun signature(text: String): String {
        val mac = Mac.getInstance(ALGORITHM).apply { init(key) }
        return HexFormat.of().formatHex(mac.doFinal(text.toByteArray()))
    }
}

private fun isSame(one: String, other: String) = MessageDigest.isEqual(one.toByteArray(), other.toByteArray())

private fun wrongLogIn() = forbidden("The nickname or the password is wrong.")

private fun wrongToken() = forbidden("Your log-in is not valid or has expired. Please log in again.")

private fun forbidden(message: String) = Refusal(HttpStatusCode.Forbidden, message, Link("/auction/index.html", "Home"))

fun passwordHash(nickname: String, password: String): String {
    val digest = MessageDigest.getInstance("SHA-256").digest("$nickname:$password".toByteArray())
    return HexFormat.of().formatHex(digest)
}

private val NICKNAME = Regex("[A-Za-z0-9_.-]+")

fun Parameters.nickname(): String = text("nickname", 20).also { if (!NICKNAME.matches(it)) throw WrongParameter("nickname") }

fun Parameters.token(): String = text("token", 100)

/** The form with which users log in to do something about an item. */
fun HTML.logIn(title: String, action: String, item: Int, hidden: List<Pair<String, Any>> = listOf("itemId" to item)) = titled(title) {
    postForm(action, hidden, "Log in") { logInFields() }
    backTo(item)
}

private fun FlowContent.logInFields() {
    field("Nickname", "nickname", InputType.text) {
        maxLength = "20"
        attributes["autocomplete"] = "username"
    }
    field("Password", "password", InputType.password) {
        maxLength = "20"
        attributes["autocomplete"] = "current-password"
    }
}

fun FlowContent.backTo(item: Int) = p { a(href = item(item)) { +"Back to the item" } }
