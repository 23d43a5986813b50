package site

import io.netty.channel.ChannelDuplexHandler
import io.netty.channel.ChannelHandlerContext
import io.netty.channel.ChannelPromise
import io.netty.handler.codec.http.HttpContent
import io.netty.handler.codec.http.HttpRequest
import io.netty.handler.codec.http.LastHttpContent
import io.netty.handler.timeout.IdleStateEvent
import io.netty.util.ReferenceCountUtil

/**
 * Closes a connection that is idle. One that waits for a slow page is not: Netty alone can't tell them apart. A body that is no HTTP
 * ends its connection, too, since Ktor would wait for the rest of it.
 */
class IdleConnections : ChannelDuplexHandler() {
    private var unanswered = 0

    override fun channelRead(context: ChannelHandlerContext, message: Any) {
        if (message is HttpRequest) unanswered += 1
        if (message is HttpContent && message.decoderResult().isFailure) {
            ReferenceCountUtil.release(message)
            context.close()
            return
        }
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
