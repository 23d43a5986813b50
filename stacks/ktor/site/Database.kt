package site

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import java.sql.Connection
import java.sql.PreparedStatement
import java.sql.ResultSet

/** The pool. JDBC blocks, so statements run on the threads that Kotlin has for that. */
class Database(environment: Map<String, String>) {
    /** The time of a statement to the second, which in MariaDB is `NOW()`. */
    val now = if (environment["TIERBENCH_DB_SERVICE"] == "postgresql") "DATE_TRUNC('second', STATEMENT_TIMESTAMP())" else "NOW()"

    private val hasTransactions = environment["TIERBENCH_DB_ENGINE"] != "MyISAM"

    private val pool = HikariDataSource(configuration(environment))

    /** Lends [work] a connection on which each statement is a transaction of its own. */
    suspend fun <T> use(work: (Connection) -> T): T = withContext(Dispatchers.IO) { pool.connection.use(work) }

    /** Does [work] at once: in a transaction, which is taken back when it throws, or under locks of [tables] where there are none. */
    suspend fun <T> atomically(vararg tables: String, work: (Connection) -> T): T = use { connection ->
        if (hasTransactions) connection.inTransaction(work) else connection.underLocks(tables, work)
    }
}

private fun <T> Connection.inTransaction(work: (Connection) -> T): T {
    autoCommit = false
    return try {
        work(this).also { commit() }
    } catch (fault: Exception) {
        rollback()
        throw fault
    }
}

private fun <T> Connection.underLocks(tables: Array<out String>, work: (Connection) -> T): T = createStatement().use { statement ->
    statement.execute("LOCK TABLES " + tables.joinToString { "$it WRITE" })
    try {
        work(this)
    } finally {
        statement.execute("UNLOCK TABLES")
    }
}

private fun configuration(environment: Map<String, String>) = HikariConfig().apply {
    val database = "${environment["TIERBENCH_DB_HOST"]}:${environment["TIERBENCH_DB_PORT"]}/${environment["TIERBENCH_DB_NAME"]}"
    jdbcUrl = "jdbc:${environment["TIERBENCH_DB_SERVICE"]}://$database"
    username = environment["TIERBENCH_DB_USER"]
    password = environment["TIERBENCH_DB_PASSWORD"]
    maximumPoolSize = environment.getValue("TIERBENCH_FACTOR_POOL").toInt()
    // What HikariCP recommends; PostgreSQL's driver prepares on the server by default, and ignores these.
    addDataSourceProperty("useServerPrepStmts", "true")
    addDataSourceProperty("cachePrepStmts", "true")
    addDataSourceProperty("prepStmtCacheSize", "250")
}

private fun PreparedStatement.bind(values: Array<out Any?>) {
    values.forEachIndexed { index, value -> setObject(index + 1, value) }
}

/** The rows of a query, each as [row] reads it. */
fun <T> Connection.query(sql: String, vararg values: Any?, row: (ResultSet) -> T): List<T> =
    prepareStatement(sql).use { statement ->
        statement.bind(values)
        statement.executeQuery().use { rows -> buildList { while (rows.next()) add(row(rows)) } }
    }

/** The first row of a query, if there is one. */
fun <T> Connection.first(sql: String, vararg values: Any?, row: (ResultSet) -> T): T? =
    query(sql, *values, row = row).firstOrNull()

/** Changes rows, and says how many. */
fun Connection.update(sql: String, vararg values: Any?): Int =
    prepareStatement(sql).use { statement ->
        statement.bind(values)
        statement.executeUpdate()
    }

/** Inserts a row and returns its id, which both drivers hand out with the insertion itself. */
fun Connection.insert(sql: String, vararg values: Any?): Int =
    prepareStatement(sql, arrayOf("id")).use { statement ->
        statement.bind(values)
        statement.executeUpdate()
        statement.generatedKeys.use { keys ->
            keys.next()
            keys.getInt(1)
        }
    }
