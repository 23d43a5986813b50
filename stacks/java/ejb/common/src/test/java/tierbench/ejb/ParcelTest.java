package tierbench.ejb;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.YearMonth;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tierbench.common.Fault;
import tierbench.common.Link;
import tierbench.common.Money;

class ParcelTest {
  public record Line(int number, Optional<Money> price) {}

  public record Page(
      long id, String title, boolean isOpen, LocalDateTime at, Money sum, List<Line> lines) {}

  public enum Size {
    SMALL,
    LARGE
  }

  public record Choice(
      Size size,
      Optional<Integer> item,
      Map<Integer, Integer> copies,
      LocalDate day,
      YearMonth month) {}

  private static Object sent(Object value) throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return in.readObject();
    }
  }

  @Test
  void whatArrivesIsWhatWasSent() throws Exception {
    List<Line> lines =
        List.of(new Line(-1, Optional.of(new Money(1))), new Line(2, Optional.empty()));
    LocalDateTime at = LocalDateTime.of(2026, 2, 28, 23, 59, 58, 123_456_000);
    for (List<Line> each : List.of(lines, List.<Line>of())) {
      Page page = new Page(1L << 40, "Größe \uD83D\uDE00 \0", true, at, new Money(-250), each);
      assertEquals(page, ((Parcel<?>) sent(new Parcel<>(page))).content());
    }
  }

  @Test
  void choicesPairsAndDaysArriveAsTheyWereSent() throws Exception {
    Choice choice =
        new Choice(
            Size.LARGE,
            Optional.of(7),
            Map.of(1, 2, 3, 0),
            LocalDate.of(1880, 2, 29),
            YearMonth.of(2030, 12));
    assertEquals(choice, ((Parcel<?>) sent(new Parcel<>(choice))).content());
  }

  @Test
  void aRefusalKeepsItsPage() throws Exception {
    Link home = new Link("/auction/index.html", "Home");
    for (Fault fault : List.of(new Fault(403, "No.", home), new Fault(404, "Nothing."))) {
      Fault arrived = ((Refused) sent(new Refused(fault))).fault();
      assertEquals(fault.status(), arrived.status());
      assertEquals(fault.getMessage(), arrived.getMessage());
      assertEquals(fault.onward(), arrived.onward());
    }
  }
}
