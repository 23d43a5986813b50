package tierbench.bookstore.web;

import static tierbench.bookstore.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.sql.SQLException;
import java.util.List;
import tierbench.bookstore.data.Books;
import tierbench.bookstore.pages.State;
import tierbench.bookstore.rules.Listed;
import tierbench.bookstore.rules.Subjects;
import tierbench.common.data.Session;
import tierbench.common.web.Interaction;
import tierbench.common.web.Visit;

/** The first books on a subject, in some order. */
final class BooksOnSubject implements Interaction {
  private final String title;
  private final String caption;
  private final String figure;
  private final Query query;

  /** What finds the books. */
  @FunctionalInterface
  interface Query {
    List<Listed> find(Session session, String subject) throws SQLException;
  }

  /** A list with a title that the subject follows, and with a last column about its figures. */
  BooksOnSubject(String title, String caption, String figure, Query query) {
    this.title = title;
    this.caption = caption;
    this.figure = figure;
    this.query = query;
  }

  @Override
  public JteModel answer(Visit visit) throws SQLException {
    Given given = Given.read(visit.form());
    String subject = visit.form().choice("SUBJECT", Subjects.NAMES);
    State state = given.open(visit.tokenKey());
    List<Listed> books = query.find(visit.session(), subject);
    return PAGES.listing(
        state,
        title + subject,
        caption,
        figure,
        books,
        Books.promoted(visit.session(), state.number()));
  }
}
