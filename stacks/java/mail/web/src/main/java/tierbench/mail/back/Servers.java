package tierbench.mail.back;

import jakarta.mail.Session;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import tierbench.common.Environment;

/** The servers behind this one, and the connections to them that wait for their next use. */
public final class Servers {
  private static final String PATIENCE_MILLIS = "30000";

  /** For mail, whose library knows where the servers are. */
  final Session session;

  final Shelf<Login, Mailbox> mailboxes;

  /** Of nobody's, for looking people up. */
  final Shelf<String, Directory> directories;

  /** Of whoever logged in last; they are logged in anew for each use. */
  final Shelf<String, Directory> logins;

  final Shelf<String, Courier> couriers;

  /** Closes what has waited for too long. */
  private final ScheduledExecutorService sweeper = Executors.newSingleThreadScheduledExecutor();

  /** Of each kind, so many connections may wait for their next use, each so long. */
  public Servers(Environment environment, int most, Duration idle, InstantSource clock) {
    session = Session.getInstance(properties(environment));
    Directory.Place place =
        new Directory.Place(
            environment.get("TIERBENCH_LDAP_HOST"),
            Integer.parseInt(environment.get("TIERBENCH_LDAP_PORT")),
            environment.get("TIERBENCH_LDAP_BASE"));
    mailboxes = new Shelf<>("the mail store", most, clock, login -> Mailbox.open(session, login));
    directories = new Shelf<>("the directory", most, clock, unused -> Directory.open(place));
    logins = new Shelf<>("the directory", most, clock, unused -> Directory.open(place));
    couriers = new Shelf<>("the SMTP server", most, clock, unused -> Courier.open(session));
    Runnable sweep = () -> all().forEach(shelf -> shelf.closeAfter(idle));
    Future<?> unused = sweeper.scheduleWithFixedDelay(sweep, 1, 1, TimeUnit.SECONDS);
  }

  private List<Shelf<?, ?>> all() {
    return List.of(mailboxes, directories, logins, couriers);
  }

  private static Properties properties(Environment environment) {
    Properties properties = new Properties();
    for (String protocol : new String[] {"imap", "smtp"}) {
      String variable = "TIERBENCH_" + (protocol.equals("imap") ? "IMAP" : "SMTP");
      String name = "mail." + protocol;
      properties.setProperty(name + ".host", environment.get(variable + "_HOST"));
      properties.setProperty(name + ".port", environment.get(variable + "_PORT"));
      properties.setProperty(name + ".connectiontimeout", PATIENCE_MILLIS);
      properties.setProperty(name + ".timeout", PATIENCE_MILLIS);
    }
    // Reading marks nothing as read, and a message comes in one piece.
    properties.setProperty("mail.imap.peek", "true");
    properties.setProperty("mail.imap.partialfetch", "false");
    // Otherwise it looks up how this host is called.
    properties.setProperty("mail.smtp.localhost", Letters.DOMAIN);
    return properties;
  }

  public void close() {
    sweeper.shutdown();
    all().forEach(Shelf::close);
  }
}
