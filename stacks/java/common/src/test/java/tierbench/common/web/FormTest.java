package tierbench.common.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import tierbench.common.Fault;
import tierbench.common.Money;

class FormTest {
  private static final Form EMPTY = new Form(Map.of());

  /** With one parameter, {@code a}. */
  private static Form form(String... values) {
    return new Form(Map.of("a", values));
  }

  private static void refuses(Executable reading) {
    assertEquals(400, assertThrows(Fault.class, reading).status());
  }

  /** A request whose parameters can't be read. */
  private static HttpServletRequest broken(RuntimeException failure) {
    return (HttpServletRequest)
        Proxy.newProxyInstance(
            FormTest.class.getClassLoader(),
            new Class<?>[] {HttpServletRequest.class},
            (request, method, arguments) -> {
              throw failure;
            });
  }

  @Test
  void whatTheContainerCanNotReadIsRefused() {
    refuses(() -> new Form(broken(new IllegalStateException())));
    refuses(() -> new Form(broken(new IllegalArgumentException())));
  }

  @Test
  void lengthsAreInCodePoints() {
    assertEquals("😀😀😀", form("😀😀😀").text("a", 3));
    refuses(() -> form("😀😀😀😀").text("a", 3));
  }

  @Test
  void whatIsNoTextIsRefused() {
    refuses(() -> form("1\0").text("a", 3));
    refuses(() -> form("").text("a", 3));
  }

  @Test
  void aParameterIsThereAndOfSeveralValuesTheFirstCounts() {
    refuses(() -> EMPTY.text("a", 3));
    assertEquals("1", form("1", "2").text("a", 3));
  }

  @Test
  void wholeNumbersAreWrittenInOneWay() {
    assertEquals(0, form("0").whole("a", 0, 9));
    assertEquals(999_999_999, form("999999999").id("a"));
    for (String wrong : new String[] {"01", "-0", "+1", "1.0", "1000000000", "١", "1\n", "10"}) {
      refuses(() -> form(wrong).whole("a", 0, 9));
    }
    refuses(() -> form("0").id("a"));
  }

  @Test
  void otherKindsAreHeldToTheirForm() {
    assertEquals("a.B_c-1", form("a.B_c-1").nickname("a", 7));
    refuses(() -> form("a.B_c-1").nickname("a", 6));
    refuses(() -> form("ä").nickname("a", 6));
    assertEquals("a@b", form("a@b").email("a", 3));
    refuses(() -> form("ab").email("a", 3));
    assertEquals("-5", form("-5").choice("a", Set.of("-5")));
    refuses(() -> form("5").choice("a", Set.of("-5")));
    assertEquals(new Money(150), form("1.5").money("a"));
    refuses(() -> form("1.").money("a"));
  }

  @Test
  void whatMayBeMissingMayAlsoBeEmpty() {
    assertEquals(Optional.empty(), EMPTY.optional("a", EMPTY::id));
    Form empty = form("", "7");
    assertEquals(Optional.empty(), empty.optional("a", empty::id));
    Form form = form("7");
    assertEquals(Optional.of(7), form.optional("a", form::id));
    Form wrong = form("x");
    refuses(() -> wrong.optional("a", wrong::id));
  }
}
