package tierbench.mail.back;

import static java.util.Map.entry;

import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tierbench.common.Instants;
import tierbench.mail.template.Value;

/** What templates can call, for whoever is logged in. */
public final class Functions {
  /** So many messages a page of the list has. */
  private static final int PAGE_LENGTH = 20;

  /** Of new rows' ids: what a message's number counts, and which folder of whom it is in. */
  private static final long ID_STEP = 1_000_000;

  /** The only key of connections that nobody in particular has. */
  private static final String ANY = "";

  /** A function, with texts as arguments. */
  private interface Function {
    Value call(Login login, List<String> arguments);
  }

  private final Servers servers;
  private final Clock clock;
  private final Map<String, Function> all =
      Map.ofEntries(
          entry("log_in", (login, unused) -> logIn(login)),
          entry("log_out", (login, unused) -> Value.NOTHING),
          entry("list", (login, texts) -> list(login, number(texts))),
          entry("read", (login, texts) -> read(login, number(texts))),
          entry("delete", (login, texts) -> delete(login, number(texts))),
          entry("addresses", (login, texts) -> addresses(login, texts.get(0))),
          entry("send", this::send));

  public Functions(Servers servers, Clock clock) {
    this.servers = servers;
    this.clock = clock;
  }

  public Value call(String function, Login login, List<String> arguments) {
    Function found = all.get(function);
    if (found == null) {
      throw new IllegalArgumentException("a template calls an unknown function: " + function);
    }
    return found.call(login, arguments);
  }

  private static int number(List<String> texts) {
    return Integer.parseInt(texts.get(0));
  }

  private Value logIn(Login login) {
    Person person =
        servers.logins.with(
            ANY,
            directory -> {
              if (!directory.logIn(login)) {
                throw Refusals.wrongPassword();
              }
              return directory.find(login.nickname()).orElseThrow();
            });
    int messages = servers.mailboxes.with(login, mailbox -> mailbox.shown().length);
    Map<String, Value> fields = Map.of("messages", Value.of(String.valueOf(messages)));
    return Value.of(merged(shown(person), fields));
  }

  private Value list(Login login, int page) {
    return servers.mailboxes.with(login, mailbox -> list(mailbox, page));
  }

  private static Value list(Mailbox mailbox, int page) throws MessagingException {
    Message[] all = mailbox.shown();
    int end = (int) Math.max(0, all.length - (long) page * PAGE_LENGTH);
    int begin = Math.max(0, end - PAGE_LENGTH);
    Message[] messages = Arrays.copyOfRange(all, begin, end);
    mailbox.fetchHeads(messages);
    List<Value> values = new ArrayList<>();
    for (int at = messages.length - 1; at >= 0; at--) {
      values.add(Value.of(shown(Letters.readHead(messages[at]), mailbox.number(messages[at]))));
    }
    return Value.of(
        Map.of(
            "messages", Value.of(List.copyOf(values)),
            "newer", Value.of(page > 0 ? String.valueOf(page - 1) : ""),
            "older", Value.of(begin > 0 ? String.valueOf(page + 1) : "")));
  }

  private Value read(Login login, int number) {
    Letter letter =
        servers.mailboxes.with(
            login, mailbox -> mailbox.letter(number).orElseThrow(Refusals::noMessage));
    return Value.of(shown(letter, number));
  }

  private Value delete(Login login, int number) {
    if (!servers.mailboxes.with(login, mailbox -> mailbox.markDeleted(number))) {
      throw Refusals.noMessage();
    }
    return Value.NOTHING;
  }

  private Value addresses(Login login, String letter) {
    return servers.logins.with(
        ANY,
        directory -> {
          if (!directory.logIn(login)) {
            throw Refusals.notLoggedIn();
          }
          List<Person> people = directory.whoseNameBegins(letter);
          return Value.of(people.stream().map(person -> Value.of(shown(person))).toList());
        });
  }

  /** The copy for the sender is kept before anything is delivered. */
  private Value send(Login login, List<String> texts) {
    return servers.mailboxes.with(
        login,
        mailbox -> {
          Person recipient = find(texts.get(0)).orElseThrow(Refusals::noRecipient);
          Person sender = find(login.nickname()).orElseThrow();
          Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
          Letter letter =
              new Letter(
                  sender.address(),
                  recipient.address(),
                  texts.get(1),
                  now,
                  texts.get(2),
                  List.of());
          MimeMessage message = Letters.write(servers.session, letter);
          long id = mailbox.keepSent(bytes(message)) * ID_STEP + sender.number() * 2L + 1;
          servers.couriers.with(
              ANY,
              courier -> {
                courier.deliver(message);
                return ANY;
              });
          return Value.of(merged(shown(letter, 0), Map.of("id", Value.of(String.valueOf(id)))));
        });
  }

  private Optional<Person> find(String nickname) {
    return servers.directories.with(ANY, directory -> directory.find(nickname));
  }

  private static byte[] bytes(MimeMessage message) throws MessagingException, IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    message.writeTo(bytes);
    return bytes.toByteArray();
  }

  private static Map<String, Value> shown(Person person) {
    return Map.of(
        "nickname", Value.of(person.nickname()),
        "firstname", Value.of(person.firstname()),
        "lastname", Value.of(person.lastname()),
        "address", Value.of(person.address()));
  }

  private static Map<String, Value> shown(Letter letter, long number) {
    String sender = letter.sender();
    int at = sender.indexOf('@');
    LocalDateTime date = LocalDateTime.ofInstant(letter.date(), ZoneOffset.UTC);
    return Map.of(
        "number", Value.of(String.valueOf(number)),
        "sender", Value.of(sender),
        "nickname", Value.of(at < 0 ? sender : sender.substring(0, at)),
        "recipient", Value.of(letter.recipient()),
        "subject", Value.of(letter.subject()),
        "date", Value.of(Instants.people(date)),
        "instant", Value.of(Instants.machine(date)),
        "text", Value.of(letter.text()),
        "attachments", Value.of(letter.attachments().stream().map(Value::of).toList()));
  }

  private static Map<String, Value> merged(Map<String, Value> some, Map<String, Value> others) {
    Map<String, Value> all = new HashMap<>(some);
    all.putAll(others);
    return Map.copyOf(all);
  }
}
