package tierbench.bookstore.web;

import static tierbench.bookstore.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import tierbench.bookstore.data.Books;
import tierbench.bookstore.data.Lists;
import tierbench.bookstore.pages.State;
import tierbench.bookstore.rules.Listed;
import tierbench.common.data.Session;
import tierbench.common.web.Interaction;
import tierbench.common.web.Visit;

/** What somebody searches for. */
final class SearchResults implements Interaction {
  private static final Set<String> TYPES = Set.of("author", "title", "subject");

  @Override
  public JteModel answer(Visit visit) throws SQLException {
    Given given = Given.read(visit.form());
    String type = visit.form().choice("SEARCH_TYPE", TYPES);
    String text = visit.form().text("SEARCH_STRING", 60);
    State state = given.open(visit.tokenKey());
    List<Listed> books = find(visit.session(), type, text);
    return PAGES.listing(
        state,
        "Books by %s: %s".formatted(type, text),
        "What was found, by title",
        "Published",
        books,
        Books.promoted(visit.session(), state.number()));
  }

  private static List<Listed> find(Session session, String type, String text) throws SQLException {
    return switch (type) {
      case "author" -> Lists.ofAuthor(session, text);
      case "title" -> Lists.ofTitle(session, text);
      default -> Lists.ofSubject(session, text);
    };
  }
}
