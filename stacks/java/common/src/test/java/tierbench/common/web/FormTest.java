package tierbench.common.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import tierbench.common.Fault;
import tierbench.common.Money;

class FormTest {
  private static void refuses(int status, Executable reading) {
    assertEquals(status, assertThrows(Fault.class, reading).status());
  }

  private static void refusesText(String encoded) {
    refuses(400, () -> Form.decode(encoded).text("a", 3));
  }

  @Test
  void escapesStandForBytesOfUtf8() {
    assertEquals("ä b", Form.decode("a=%c3%A4+b").text("a", 3));
    assertEquals("äöü", Form.decode("a=äöü".getBytes(UTF_8)).text("a", 3));
    assertEquals("%zz", Form.decode("a=%zz").text("a", 3));
    assertEquals("1%", Form.decode("a=1%").text("a", 3));
    assertEquals("1=2", Form.decode("%61=1=2").text("a", 3));
  }

  @Test
  void lengthsAreInCodePoints() {
    assertEquals("😀😀😀", Form.decode("a=" + "%F0%9F%98%80".repeat(3)).text("a", 3));
    refusesText("a=" + "%F0%9F%98%80".repeat(4));
  }

  @Test
  void whatIsNoTextIsRefused() {
    for (String wrong :
        new String[] {"%80", "%C0%AF", "%ED%A0%80", "%E2%82", "%F4%90%80%80", "1%00", ""}) {
      refusesText("a=" + wrong);
    }
  }

  @Test
  void aParameterIsThereExactlyOnce() {
    for (String wrong :
        new String[] {"", "b=1", "a=1&a=1", "a=1&%61", "a[]=1", "A=1", "+a=1", "a%00=1", "a;=1"}) {
      refusesText(wrong);
    }
    assertEquals("1", Form.decode("&&a=1&&=x&b&%FF=1&").text("a", 3));
  }

  @Test
  void wholeNumbersAreWrittenInOneWay() {
    assertEquals(0, Form.decode("a=0").whole("a", 0, 9));
    assertEquals(999_999_999, Form.decode("a=999999999").id("a"));
    for (String wrong :
        new String[] {"01", "-0", "%2B1", "1.0", "1000000000", "%D9%A1", "1%0A", "10"}) {
      refuses(400, () -> Form.decode("a=" + wrong).whole("a", 0, 9));
    }
    refuses(400, () -> Form.decode("a=0").id("a"));
  }

  @Test
  void otherKindsAreHeldToTheirForm() {
    assertEquals("a.B_c-1", Form.decode("a=a.B_c-1").nickname("a", 7));
    refuses(400, () -> Form.decode("a=a.B_c-1").nickname("a", 6));
    refuses(400, () -> Form.decode("a=%C3%A4").nickname("a", 6));
    assertEquals("a@b", Form.decode("a=a%40b").email("a", 3));
    refuses(400, () -> Form.decode("a=ab").email("a", 3));
    assertEquals("-5", Form.decode("a=-5").choice("a", Set.of("-5")));
    refuses(400, () -> Form.decode("a=5").choice("a", Set.of("-5")));
    assertEquals(new Money(150), Form.decode("a=1.5").money("a"));
    refuses(400, () -> Form.decode("a=1.").money("a"));
  }

  @Test
  void whatMayBeMissingMayAlsoBeThereOnceAndEmpty() {
    for (String absent : new String[] {"", "b=1", "a=", "a"}) {
      Form form = Form.decode(absent);
      assertEquals(Optional.empty(), form.optional("a", form::id), absent);
    }
    Form form = Form.decode("a=7");
    assertEquals(Optional.of(7), form.optional("a", form::id));
    for (String wrong : new String[] {"a=&a=", "a=&a=7", "a=x", "a=%FF"}) {
      Form other = Form.decode(wrong);
      refuses(400, () -> other.optional("a", other::id));
    }
  }

  @Test
  void aThousandParametersAreTheMost() {
    assertEquals("1", Form.decode("a=1" + "&".repeat(999)).text("a", 3));
    refuses(400, () -> Form.decode("a=1" + "&".repeat(1000)));
  }
}
