package site

import io.netty.channel.ChannelDuplexHandler
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.ChannelPromise
import io.netty.handler.codec.http.HttpRequest
import io.netty.handler.codec.http.LastHttpContent
import io.netty.handler.timeout.IdleStateEvent

/** Closes a connection that is idle. One that waits for a slow page is not: Netty alone can't tell them apart. */
class IdleConnections : ChannelDuplexHandler() {
    private var unanswered = 0

    override fun channelRead(context: ChannelHandlerContext, message: Any) {
        if (message is HttpRequest) unanswered += 1
        super.channelRead(context, message)
    }

    override fun write(context: ChannelHandlerContext, message: Any, promise: ChannelPromise) {
        if (message is LastHttpContent) unanswered -= 1
        super.write(context, message, promise)
    }

    override fun userEventTriggered(context: ChannelHandlerContext, event: Any) {
        if (event is IdleStateEvent && unanswered <= 0) context.close() else super.userEventTriggered(context, event)
    }
}
