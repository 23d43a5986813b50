package tierbench.bookstore.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gg.jte.models.runtime.JteModel;
import gg.jte.output.StringOutput;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tierbench.bookstore.rules.Country;
import tierbench.bookstore.rules.Listed;

class PagesTest {
  private static final State STATE = new State(Optional.of(7), Optional.of(9), Optional.of("9.ab"));

  private static final Templates PAGES = new StaticTemplates();

  private static String html(JteModel page) {
    StringOutput html = new StringOutput();
    page.render(html);
    return html.toString();
  }

  @Test
  void textIsEscaped() {
    Listed book = new Listed(1, "\"><script>alert('x')</script>", "A & B", "2026-01-02");
    String html = html(PAGES.listing(STATE, "<b>", "c", "f", List.of(book), List.of()));
    assertFalse(html.contains("<script>") || html.contains("<b>"), html);
    assertTrue(html.contains("A &amp; B"), html);
  }

  @Test
  void linksAndFormsCarryTheStateOn() {
    String html = html(PAGES.orderInquiry(STATE));
    assertTrue(html.contains("/bookstore/Home?C_ID=7&amp;SHOPPING_ID=9.ab\""), html);
    assertTrue(html.contains("name=\"SHOPPING_ID\" value=\"9.ab\""), html);
    assertEquals(16, STATE.number());
    assertEquals("&C_ID=7&SHOPPING_ID=9.ab", STATE.more());
    assertEquals("", State.NONE.query());
    assertEquals(0, State.NONE.number());
  }

  @Test
  void whoRegistersMustTypeAnAddress() {
    String html = html(PAGES.register(STATE, List.of(new Country(4, "Trinidad & Tobago"))));
    assertTrue(html.contains("autocomplete=\"address-level2\" required"), html);
    assertTrue(html.contains("<option value=\"4\">Trinidad &amp; Tobago</option>"), html);
  }
}
