package tierbench.quotes;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;

/**
 * A request whose message has been read. Its type is always the same: that of a message, and so its
 * version of SOAP, is told by its envelope and nothing else.
 */
final class WholeRequest extends HttpServletRequestWrapper {
  private static final String TYPE = "text/xml;charset=utf-8";

  private final byte[] message;

  WholeRequest(HttpServletRequest request, byte[] message) {
    super(request);
    this.message = message;
  }

  @Override
  public ServletInputStream getInputStream() {
    return new Message(new ByteArrayInputStream(message));
  }

  @Override
  public int getContentLength() {
    return message.length;
  }

  @Override
  public long getContentLengthLong() {
    return message.length;
  }

  @Override
  public String getContentType() {
    return TYPE;
  }

  @Override
  public String getCharacterEncoding() {
    return "utf-8";
  }

  private static final class Message extends ServletInputStream {
    private final ByteArrayInputStream bytes;

    private Message(ByteArrayInputStream bytes) {
      this.bytes = bytes;
    }

    @Override
    public int read() {
      return bytes.read();
    }

    @Override
    public int read(byte[] into, int at, int most) {
      return bytes.read(into, at, most);
    }

    @Override
    public int available() throws IOException {
      return bytes.available();
    }

    @Override
    public boolean isFinished() {
      return bytes.available() == 0;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      throw new IllegalStateException("the message is there already");
    }
  }
}
