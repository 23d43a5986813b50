package tierbench.mail.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemplatesTest {
  @TempDir Path folder;

  /** Some values, and a function that joins texts. */
  private static final Material MATERIAL =
      new Material() {
        private final Map<String, Value> values =
            Map.of(
                "name", Value.of("<a & \"b\" 'c'>"),
                "list", Value.of(List.of(named("one"), named("two"))),
                "none", Value.NOTHING);

        private Value named(String name) {
          return Value.of(Map.of("name", Value.of(name)));
        }

        @Override
        public Value value(String name) {
          return values.getOrDefault(name, Value.NOTHING);
        }

        @Override
        public Value call(String function, List<String> arguments) {
          if (!function.equals("join")) {
            throw new IllegalArgumentException("there is no function " + function);
          }
          return Value.of(String.join("+", arguments));
        }
      };

  private Templates templates(String source) throws IOException {
    Files.writeString(folder.resolve("Page.html"), source);
    Files.writeString(folder.resolve("part.html"), "<i>[[name]]</i>");
    return new Templates(folder, false);
  }

  private String interpreted(String source) throws IOException {
    return Interpreter.page("Page", templates(source), MATERIAL);
  }

  @Test
  void valuesAreTextAndNeverMarkup() throws IOException {
    assertEquals(
        "<p>&lt;a &amp; &quot;b&quot; &#39;c&#39;&gt;</p>", interpreted("<p>[[name]]</p>"));
    assertEquals("", interpreted("[[nothing]][[list.nothing]]"));
  }

  @Test
  void listsAreGoneThroughAndNamesInsideHideThoseOutside() throws IOException {
    assertEquals("(one)(two)", interpreted("[[for x in list]]([[x.name]])[[end]]"));
    assertEquals(".", interpreted("[[for x in none]]([[x.name]])[[end]]."));
    assertEquals(
        "one two ;one two ;",
        interpreted("[[for x in list]][[for x in list]][[x.name]] [[end]];[[end]]"));
  }

  @Test
  void conditionsHaveTwoSides() throws IOException {
    assertEquals("yes", interpreted("[[if name]]yes[[else]]no[[end]]"));
    assertEquals("no", interpreted("[[if none]]yes[[else]]no[[end]]"));
    assertEquals("a.", interpreted("[[if none]]x[[else]][[if name]]a[[else]]b[[end]][[end]]."));
    assertEquals("b", interpreted("[[if name]][[if none]]a[[end]]b[[else]]c[[end]]"));
  }

  @Test
  void functionsAreCalledWithValuesAndTexts() throws IOException {
    assertEquals(
        "a, b+&lt;a &amp; &quot;b&quot; &#39;c&#39;&gt;",
        interpreted("[[set x = join(\"a, b\", name)]][[x]]"));
    assertEquals("", interpreted("[[if none]][[set x = join(name)]][[end]][[x]]"));
    assertEquals("<i>x</i>", interpreted("[[set name = \"x\"]][[include part]]"));
  }

  @Test
  void whatATemplateSaysWrongIsAnError() {
    for (String wrong :
        List.of(
            "[[name",
            "[[]]",
            "[[do x y]]",
            "[[include nowhere]]",
            "[[end]]",
            "[[if name]]",
            "[[for x of list]][[end]]",
            "[[set x = other()]]")) {
      assertThrows(RuntimeException.class, () -> interpreted(wrong), wrong);
    }
  }

  @Test
  void whatIsKeptIsReadOnce() throws IOException {
    Files.writeString(folder.resolve("Page.html"), "before");
    Templates kept = new Templates(folder, true);
    assertEquals("before", Interpreter.page("Page", kept, MATERIAL));
    Files.writeString(folder.resolve("Page.html"), "after");
    assertEquals("before", Interpreter.page("Page", kept, MATERIAL));
    assertEquals("after", Interpreter.page("Page", new Templates(folder, false), MATERIAL));
  }

  @Test
  void namesOfATemplateBecomeVariablesOfItsJsp() throws IOException {
    String source =
        "[[set x = join(\"a\", page)]][[set x = \"b\"]]<%[[for y in x.list]][[y]][[end]][[y]]";
    String jsp = Translator.translated("Page", templates(source));
    String expected =
        "<% Value its_x = material.call(\"join\", List.of(\"a\", material.value(\"page\").text())); %>"
            + "<% its_x = Value.of(\"b\"); %><\\%"
            + "<% for (Value its_y : its_x.field(\"list\").items()) { %><%=its_y.html()%><% } %>"
            + "<%=material.value(\"y\").html()%>";
    assertTrue(jsp.endsWith(expected), jsp);
  }

  @Test
  void whatJavaWouldForgetIsRefused() throws IOException {
    Templates templates = templates("[[if name]][[set x = \"a\"]][[end]]");
    assertThrows(IllegalArgumentException.class, () -> Translator.translated("Page", templates));
  }
}
