package auction

import io.ktor.http.HttpStatusCode
import io.ktor.server.html.respondHtml
import io.ktor.server.request.receiveParameters
import io.ktor.server.routing.Route
import io.ktor.server.routing.post
import kotlinx.html.FlowContent
import kotlinx.html.HTML
import kotlinx.html.a
import kotlinx.html.dl
import kotlinx.html.li
import kotlinx.html.p
import kotlinx.html.ul
import site.Database
import site.Link
import site.Refusal
import site.WrongParameter
import site.acknowledged
import site.email
import site.fact
import site.first
import site.id
import site.insert
import site.text
import java.math.BigDecimal
import java.sql.Connection
import java.sql.SQLException
import java.time.LocalDateTime

fun Route.registering(database: Database) {
    post("/RegisterUser") {
        val form = call.receiveParameters()
        val applicant = Applicant(
            form.text("firstname", 20),
            form.text("lastname", 20),
            form.nickname(),
            form.email("email", 50),
            form.text("password", 20),
            form.id("region"),
        )
        val (id, account) = database.register(applicant)
        call.respondHtml { registered(id, account) }
    }
}

private data class Applicant(
    val firstname: String,
    val lastname: String,
    val nickname: String,
    val email: String,
    val password: String,
    val region: Int,
)

/** What users see of their own account. */
data class Account(
    val name: String,
    val nickname: String,
    val email: String,
    val region: String,
    val rating: Int,
    val balance: BigDecimal,
    val registered: LocalDateTime,
)

private fun taken(nickname: String) = Refusal(
    HttpStatusCode.Conflict,
    "The nickname $nickname is taken. Please choose another one.",
    Link("/auction/register.html", "Back to the form"),
)

private suspend fun Database.register(applicant: Applicant): Pair<Int, Account> = use { connection ->
    val region = connection.region(applicant.region) ?: throw WrongParameter("region")
    val other = connection.first("SELECT id FROM users WHERE nickname = ?", applicant.nickname) { it.getInt("id") }
    if (other != null) throw taken(applicant.nickname)
    val id = connection.add(applicant, now)
    val registered = connection.first("SELECT creation_date FROM users WHERE id = ?", id) { it.time("creation_date") }
    val name = "${applicant.firstname} ${applicant.lastname}"
    Pair(id, Account(name, applicant.nickname, applicant.email, region, 0, BigDecimal("0.00"), registered!!))
}

/** Of two who register the same nickname at once, the database refuses one. */
private fun Connection.add(applicant: Applicant, now: String): Int = try {
    insert(
        "INSERT INTO users (firstname, lastname, nickname, password, email, rating, balance, creation_date, region) " +
            "VALUES (?, ?, ?, ?, ?, 0, 0, $now, ?)",
        applicant.firstname,
        applicant.lastname,
        applicant.nickname,
        passwordHash(applicant.nickname, applicant.password),
        applicant.email,
        applicant.region,
    )
} catch (fault: SQLException) {
    if (fault.sqlState.startsWith("23")) throw taken(applicant.nickname)
    throw fault
}

fun FlowContent.facts(account: Account) = dl {
    fact("Name") { +account.name }
    fact("Email address") { +account.email }
    fact("Region") { +account.region }
    fact("Rating") { +account.rating.toString() }
    fact("Balance") { +account.balance.toString() }
    fact("Registered") { instant(account.registered) }
}

private fun HTML.registered(id: Int, account: Account) = titled("Welcome, ${account.nickname}") {
    p {
        +"Your account has been created: "
        acknowledged("user", id)
        +"."
    }
    facts(account)
    ul {
        li { a(href = "/auction/browse.html", classes = "button") { +"Browse the items for sale" } }
        li { a(href = user(id)) { +"What others see of you" } }
    }
}
