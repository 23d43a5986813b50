package tierbench.mail.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tierbench.common.Fault;
import tierbench.mail.template.Value;

class XmlPartTest {
  /** What markup, line ends, and letters that XML doesn't know could do to a text. */
  private static final List<String> TEXTS =
      List.of(
          "", " ", "<a>&amp;]]>\"'", "a\r\nb\rc\n\t", "\u0001\u007f\u0085\ufffe", "é😀", "YQ==");

  @Test
  void whatIsAskedAndAnsweredArrivesAsItWas() {
    for (String text : TEXTS) {
      Value value =
          new Value(
              text,
              List.of(Value.of(text), Value.of(List.of(Value.of(text)))),
              Map.of("name", Value.of(text), "fields", Value.of(Map.of("inner", Value.of(text)))));
      XmlPart part =
          new XmlPart(
              (function, arguments) -> {
                assertEquals("read", function);
                assertEquals(List.of(text, "x", text), arguments);
                return value;
              });
      assertEquals(value, part.call("read", List.of(text, "x", text)));
    }
    assertEquals(Value.NOTHING, new XmlPart((f, a) -> Value.NOTHING).call("log_out", List.of()));
  }

  @Test
  void refusalsPass() {
    XmlPart part =
        new XmlPart(
            (function, arguments) -> {
              throw Fault.unknownPage();
            });
    assertThrows(Fault.class, () -> part.call("read", List.of()));
  }
}
