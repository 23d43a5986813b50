package tierbench.mail.back;

import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.MimeMessage;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A session with the server that delivers, over SMTP. */
final class Courier implements Connection {
  private static final Logger LOG = Logger.getLogger(Courier.class.getName());

  private final Transport transport;

  private Courier(Transport transport) {
    this.transport = transport;
  }

  static Courier open(Session session) throws MessagingException {
    Transport transport = session.getTransport("smtp");
    transport.connect();
    return new Courier(transport);
  }

  @Override
  public boolean isAlive() {
    return transport.isConnected();
  }

  @Override
  public void close() {
    try {
      transport.close();
    } catch (MessagingException broken) {
      LOG.log(Level.FINE, "a session with the SMTP server ended before", broken);
    }
  }

  void deliver(MimeMessage message) throws MessagingException {
    transport.sendMessage(message, message.getAllRecipients());
  }
}
