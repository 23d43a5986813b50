package tierbench.auction.web;

import java.util.Optional;
import tierbench.common.web.Form;

/** Which page of the items found is shown, counted from 0, and how many items a page has. */
record Paging(int page, int size) {
  static Paging read(Form form) {
    return new Paging(form.whole("page", 0, 999_999), form.whole("nbOfItems", 1, 100));
  }

  /** How many items stand on the pages before. */
  int before() {
    return page * size;
  }

  /**
   * The address of the page before, where there is one; {@code search} is the search's without its
   * page.
   */
  Optional<String> previous(String search) {
    return page > 0 ? Optional.of(address(search, page - 1)) : Optional.empty();
  }

  /**
   * The address of the next page. Nothing is counted, so the page after a full one may turn out to
   * be empty.
   */
  Optional<String> next(String search, int found) {
    return found == size ? Optional.of(address(search, page + 1)) : Optional.empty();
  }

  private String address(String search, int other) {
    return "%s&page=%d&nbOfItems=%d".formatted(search, other, size);
  }
}
