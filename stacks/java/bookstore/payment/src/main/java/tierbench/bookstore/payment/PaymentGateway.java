package tierbench.bookstore.payment;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.json.Json;
import jakarta.json.JsonException;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.logging.Level;
import java.util.logging.Logger;
import tierbench.bookstore.rules.Card;
import tierbench.bookstore.rules.Refusal;
import tierbench.common.Environment;
import tierbench.common.Money;

/** Asks the bank for payments, through its gateway, over TLS and connections that are kept. */
public final class PaymentGateway {
  private static final Logger LOG = Logger.getLogger(PaymentGateway.class.getName());

  /** How long it may take in all. */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final URI address;
  private final HttpClient client;

  private PaymentGateway(URI address, HttpClient client) {
    this.address = address;
    this.client = client;
  }

  /** The gateway that the environment names, with the authority of its certificate. */
  public static PaymentGateway of(Environment environment) {
    try {
      HttpClient client =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_1_1)
              .connectTimeout(PATIENCE)
              .sslContext(Authority.in(Path.of(environment.get("TIERBENCH_CA_FILE"))))
              .build();
      return new PaymentGateway(URI.create(environment.get("TIERBENCH_PAYMENT_URL")), client);
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("the file TIERBENCH_CA_FILE holds no certificate", e);
    }
  }

  /**
   * The authorisation of a payment. To ask again with the same reference and amount pays once.
   * Throws a {@link tierbench.common.Fault} if the bank declines, or doesn't answer.
   */
  public String authorize(int reference, Card card, Money amount) {
    HttpRequest request =
        HttpRequest.newBuilder(address)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(form(reference, card, amount)))
            .build();
    return authorization(answer(request).body());
  }

  private static String form(int reference, Card card, Money amount) {
    return "reference=%d&number=%s&expiry=%s&amount=%s"
        .formatted(reference, encode(card.number()), card.expiry(), amount);
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  /**
   * A kept connection may have been closed by the gateway; then we ask once more over a new one.
   */
  private HttpResponse<String> answer(HttpRequest request) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    try {
      return send(request, end);
    } catch (IOException first) {
      LOG.log(Level.FINE, "the payment gateway is asked once more", first);
    }
    try {
      return send(request, end);
    } catch (IOException second) {
      LOG.log(Level.WARNING, "the payment gateway can't be asked", second);
      throw Refusal.noAnswer();
    }
  }

  private HttpResponse<String> send(HttpRequest request, long end) throws IOException {
    CompletableFuture<HttpResponse<String>> asked =
        client.sendAsync(request, BodyHandlers.ofString(UTF_8));
    try {
      return asked.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw Refusal.noAnswer();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Refusal.noAnswer();
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } finally {
      // Nobody waits any more.
      asked.cancel(true);
    }
  }

  /** What the bank says of a payment: its authorisation, or that the card is declined. */
  static String authorization(String body) {
    JsonObject said = json(body);
    return switch (said.getString("result", "")) {
      case "approved" -> said.getString("authorization", "");
      case "declined" -> throw Refusal.declined();
      default -> throw new IllegalStateException("an answer of the payment gateway is none");
    };
  }

  private static JsonObject json(String text) {
    try (JsonReader reader = Json.createReader(new StringReader(text))) {
      return reader.readObject();
    } catch (JsonException e) {
      throw new IllegalStateException("an answer of the payment gateway is no JSON object", e);
    }
  }
}
