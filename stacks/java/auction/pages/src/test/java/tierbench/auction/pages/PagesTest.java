package tierbench.auction.pages;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gg.jte.output.StringOutput;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tierbench.auction.rules.FoundItem;
import tierbench.common.Link;
import tierbench.common.Money;

class PagesTest {
  private static final LocalDateTime END = LocalDateTime.of(2026, 1, 2, 3, 4, 0);

  private static String search(String name, long buyNow) {
    FoundItem item =
        new FoundItem(9, name, new Money(100), Optional.empty(), 0, new Money(buyNow), END);
    StringOutput html = new StringOutput();
    new StaticTemplates()
        .search(
            "Books",
            List.of(item),
            Optional.empty(),
            Optional.of("/a?b=1&c=2"),
            new Link("/up", "Up"))
        .render(html);
    return html.toString();
  }

  @Test
  void textIsEscapedAlsoInAttributes() {
    String html = search("\"><script>alert('x')</script>", 0);
    assertFalse(html.contains("<script>"), html);
    assertFalse(html.contains("\"Bid on \""), html);
    assertTrue(html.contains("&lt;script>") || html.contains("&lt;script&gt;"), html);
    assertTrue(html.contains("href=\"/a?b=1&amp;c=2\""), html);
  }

  @Test
  void onlyWhatIsForSaleAtOnceHasALinkForIt() {
    assertTrue(search("x", 101).contains("/auction/BuyNowAuth?itemId=9"));
    assertFalse(search("x", 100).contains("/auction/BuyNowAuth"));
  }
}
