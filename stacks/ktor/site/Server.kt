package site

import auction.auction
import comments.comments
import io.ktor.server.application.Application
import io.ktor.server.engine.connector
import io.ktor.server.engine.embeddedServer
import io.ktor.server.http.content.staticFiles
import io.ktor.server.netty.Netty
import io.ktor.server.routing.routing
import io.netty.channel.ChannelOption
import io.netty.handler.timeout.IdleStateHandler
import java.io.File
import java.util.concurrent.TimeUnit

/** Starts the application that is named first, with the arguments of `start.sh`. */
fun main(arguments: Array<String>) {
    val (application, address, port, files, keepAlive) = arguments
    val database = Database(System.getenv())
    val server = embeddedServer(Netty, configure = {
        connector {
            host = address
            this.port = port.toInt()
        }
        configureBootstrap = { option(ChannelOption.SO_BACKLOG, 4096) }
        channelPipelineConfig = {
            addBefore("http1", "idle", IdleStateHandler(0, 0, keepAlive.toLong(), TimeUnit.MILLISECONDS))
            addAfter("idle", "idle connections", IdleConnections())
        }
    }) {
        site(application, database, File(files))
    }
    server.start(wait = true)
}

private fun Application.site(name: String, database: Database, files: File) {
    when (name) {
        "comments" -> comments(database)
        "auction" -> auction(database)
        else -> error("there is no application $name here")
    }
    routing { staticFiles("/", files) }
}
