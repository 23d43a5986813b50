package tierbench.mail.back;

import java.time.Instant;
import java.util.List;

/**
 * What pages show of a message.
 *
 * @param text the first part that is plain text, or else the source of the first that is HTML
 * @param attachments a line for each: {@code notes.txt (text/plain, 1200 bytes)}
 */
record Letter(
    String sender,
    String recipient,
    String subject,
    Instant date,
    String text,
    List<String> attachments) {}
