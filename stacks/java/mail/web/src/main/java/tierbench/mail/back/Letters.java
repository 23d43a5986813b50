package tierbench.mail.back;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.mail.Address;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Multipart;
import jakarta.mail.Part;
import jakarta.mail.Session;
import jakarta.mail.internet.ContentType;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeUtility;
import java.io.IOException;
import java.nio.charset.Charset;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.UUID;

/** Messages as they come over the wire (RFC 5322, MIME), and what pages show of them. */
final class Letters {
  /** Where all mailboxes are. */
  static final String DOMAIN = "mail.test";

  /** So many bytes of text an encoded word holds: its line has fewer than 76 letters then. */
  private static final int MOST_BYTES = 39;

  private Letters() {}

  /** Reads a message. */
  static Letter read(Message message) throws MessagingException, IOException {
    Parts parts = new Parts();
    parts.look(message);
    Letter head = readHead(message);
    return new Letter(
        head.sender(), head.recipient(), head.subject(), head.date(), parts.text(), parts.lines);
  }

  /** Reads a message's head, without its text and its attachments. */
  static Letter readHead(Message message) throws MessagingException {
    Date date = message.getSentDate();
    String subject = message.getSubject();
    return new Letter(
        first(message.getFrom()),
        first(message.getRecipients(Message.RecipientType.TO)),
        subject == null ? "" : subject,
        date == null ? Instant.EPOCH : date.toInstant(),
        "",
        List.of());
  }

  private static String first(Address[] addresses) {
    boolean isThere = addresses != null && addresses.length > 0;
    return isThere && addresses[0] instanceof InternetAddress address ? address.getAddress() : "";
  }

  /** Writes a message with the text as its only part. */
  static MimeMessage write(Session session, Letter letter) throws MessagingException {
    MimeMessage message = new Composed(session);
    message.setFrom(new InternetAddress(letter.sender()));
    message.setRecipient(Message.RecipientType.TO, new InternetAddress(letter.recipient()));
    message.setHeader("Subject", encodedWords(letter.subject()));
    message.setSentDate(Date.from(letter.date()));
    message.setText(letter.text(), "utf-8");
    // Whatever is in it arrives as it is.
    message.setHeader("Content-Transfer-Encoding", "base64");
    message.saveChanges();
    return message;
  }

  /** A message that is not named after this host and its user. */
  private static final class Composed extends MimeMessage {
    Composed(Session session) {
      super(session);
    }

    @Override
    protected void updateMessageID() throws MessagingException {
      setHeader("Message-ID", "<" + UUID.randomUUID() + "@" + DOMAIN + ">");
    }
  }

  /** As encoded words (RFC 2047) of whole letters, also what doesn't need it but looks as if. */
  private static String encodedWords(String text) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    int bytes = 0;
    for (int letter : text.codePoints().toArray()) {
      int length = Character.toString(letter).getBytes(UTF_8).length;
      if (bytes + length > MOST_BYTES) {
        words.add(encodedWord(word.toString()));
        word.setLength(0);
        bytes = 0;
      }
      word.appendCodePoint(letter);
      bytes += length;
    }
    words.add(encodedWord(word.toString()));
    return String.join("\r\n ", words);
  }

  private static String encodedWord(String text) {
    return "=?utf-8?B?" + Base64.getEncoder().encodeToString(text.getBytes(UTF_8)) + "?=";
  }

  /** What the parts of a message are, as far as they are shown. */
  private static final class Parts {
    private Part plain;
    private Part html;
    private final List<String> lines = new ArrayList<>();

    void look(Part part) throws MessagingException, IOException {
      if (part.isMimeType("multipart/*") && part.getContent() instanceof Multipart all) {
        for (int at = 0; at < all.getCount(); at++) {
          look(all.getBodyPart(at));
        }
      } else if (Part.ATTACHMENT.equalsIgnoreCase(part.getDisposition())) {
        lines.add(line(part));
      } else if (plain == null && part.isMimeType("text/plain")) {
        plain = part;
      } else if (html == null && part.isMimeType("text/html")) {
        html = part;
      }
    }

    private static String line(Part part) throws MessagingException, IOException {
      String name = part.getFileName();
      String kind = new ContentType(part.getContentType()).getBaseType();
      int bytes = part.getInputStream().readAllBytes().length;
      return "%s (%s, %d bytes)".formatted(name == null ? "" : name, kind, bytes);
    }

    /** Line feeds end its lines, and none ends it. */
    String text() throws MessagingException, IOException {
      Part shown = plain == null ? html : plain;
      if (shown == null) {
        return "";
      }
      byte[] bytes = shown.getInputStream().readAllBytes();
      String text = new String(bytes, charset(shown)).replace("\r\n", "\n").replace('\r', '\n');
      int end = text.length();
      while (end > 0 && text.charAt(end - 1) == '\n') {
        end--;
      }
      return text.substring(0, end);
    }

    /** UTF-8 where it is not said, or where nobody knows what is said. */
    private static Charset charset(Part part) throws MessagingException {
      String name = new ContentType(part.getContentType()).getParameter("charset");
      try {
        return name == null ? UTF_8 : Charset.forName(MimeUtility.javaCharset(name));
      } catch (IllegalArgumentException unknown) {
        return UTF_8;
      }
    }
  }
}
