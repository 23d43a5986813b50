package tierbench.mail.back;

import jakarta.mail.AuthenticationFailedException;
import jakarta.mail.FetchProfile;
import jakarta.mail.Flags;
import jakarta.mail.Folder;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.UIDFolder;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.search.FlagTerm;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.eclipse.angus.mail.iap.Literal;
import org.eclipse.angus.mail.imap.IMAPFolder;
import org.eclipse.angus.mail.imap.IMAPMessage;
import org.eclipse.angus.mail.imap.IMAPStore;

/** A session with the mail store, as somebody, over IMAP. The inbox is open. */
final class Mailbox implements Connection {
  private static final Logger LOG = Logger.getLogger(Mailbox.class.getName());
  private static final String INBOX = "INBOX";
  private static final String SENT = "Sent";
  private static final FlagTerm NOT_DELETED =
      new FlagTerm(new Flags(Flags.Flag.DELETED), /* set= */ false);
  private static final FetchProfile HEADS = new FetchProfile();

  static {
    HEADS.add(UIDFolder.FetchProfileItem.UID);
    HEADS.add(FetchProfile.Item.ENVELOPE);
  }

  private final Session session;
  private final IMAPStore store;
  private final IMAPFolder inbox;

  private Mailbox(Session session, IMAPStore store) throws MessagingException {
    this.session = session;
    this.store = store;
    inbox = (IMAPFolder) store.getFolder(INBOX);
    inbox.open(Folder.READ_WRITE);
  }

  /** Refuses whom the store doesn't let in. */
  static Mailbox open(Session session, Login login) throws MessagingException {
    IMAPStore store = (IMAPStore) session.getStore("imap");
    try {
      store.connect(login.nickname(), login.password());
      return new Mailbox(session, store);
    } catch (AuthenticationFailedException wrong) {
      throw Refusals.notLoggedIn();
    } catch (MessagingException failure) {
      store.close();
      throw failure;
    }
  }

  /** Asks, so that what others have changed meanwhile is known, too. */
  @Override
  public boolean isAlive() {
    try {
      inbox.doCommand(
          protocol -> {
            protocol.noop();
            return null;
          });
      return true;
    } catch (MessagingException broken) {
      return false;
    }
  }

  @Override
  public void close() {
    try {
      store.close();
    } catch (MessagingException broken) {
      LOG.log(Level.FINE, "a session with the mail store ended before", broken);
    }
  }

  /** All messages that aren't marked as deleted, the oldest first. */
  Message[] shown() throws MessagingException {
    return inbox.search(NOT_DELETED);
  }

  /** Fetches what a list shows of messages. */
  void fetchHeads(Message[] messages) throws MessagingException {
    inbox.fetch(messages, HEADS);
  }

  long number(Message message) throws MessagingException {
    return inbox.getUID(message);
  }

  /** A message as a whole, unless there is none of that number or it is marked as deleted. */
  Optional<Letter> letter(int number) throws MessagingException, IOException {
    Optional<IMAPMessage> found = find(number);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    // What is kept of it is the head at most.
    try (InputStream source = found.get().getMimeStream()) {
      return Optional.of(Letters.read(new MimeMessage(session, source)));
    }
  }

  /** Marks a message as deleted; says whether it was shown before. */
  boolean markDeleted(int number) throws MessagingException {
    Optional<IMAPMessage> found = find(number);
    if (found.isPresent()) {
      found.get().setFlag(Flags.Flag.DELETED, true);
    }
    return found.isPresent();
  }

  private Optional<IMAPMessage> find(int number) throws MessagingException {
    IMAPMessage message = (IMAPMessage) inbox.getMessageByUID(number);
    return message == null || message.isSet(Flags.Flag.DELETED)
        ? Optional.empty()
        : Optional.of(message);
  }

  /** Puts a message into the folder of those that were sent; returns its number there. */
  long keepSent(byte[] source) throws MessagingException {
    // Asked as another folder, it would take a second connection.
    return (Long)
        inbox.doCommand(protocol -> protocol.appenduid(SENT, null, null, new Source(source)).uid);
  }

  private static final class Source implements Literal {
    private final byte[] bytes;

    Source(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public int size() {
      return bytes.length;
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
      out.write(bytes);
    }
  }
}
