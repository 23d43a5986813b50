package tierbench.bookstore.facade;

import java.sql.SQLException;
import java.util.List;
import tierbench.bookstore.ejb.Told;
import tierbench.bookstore.entities.BookRow;
import tierbench.bookstore.entities.Entities;
import tierbench.bookstore.rules.BookChange;
import tierbench.bookstore.rules.Cover;
import tierbench.bookstore.rules.Listed;
import tierbench.bookstore.rules.Related;
import tierbench.common.Fault;
import tierbench.ejb.EntityHandle;
import tierbench.ejb.Finder;
import tierbench.ejb.Row;

/** The books, entity by entity. */
record Books(Entities entities, JdbcQueries queries) {
  /** Refuses a book that there isn't. */
  void check(int id) {
    found(entities.books().byId(), id);
  }

  private static Row<BookRow> found(Finder<Integer, BookRow> books, int id) {
    return books.find(id).orElseThrow(() -> Fault.unknown("book", id));
  }

  Told.BookToBuy toBuy(int id) {
    BookRow book = found(entities.books().byId(), id).row();
    return new Told.BookToBuy(
        book.by(entities.authors().row(book.author())), covers(book.related()));
  }

  Told.BookToEdit toEdit(int id) {
    BookRow book = found(entities.books().byId(), id).row();
    return new Told.BookToEdit(
        book.editedBy(entities.authors().row(book.author())),
        related(book.related()).stream().map(BookRow::pictured).toList());
  }

  /** The books that are shown to a visitor: those that go with one that a number chooses. */
  List<Cover> promoted(int number) throws SQLException {
    return promoted(number, queries.books());
  }

  /** The promoted books, for a known number of books. */
  List<Cover> promoted(int number, int items) {
    return covers(entities.books().byId().row(Related.scattered(number, items)).related());
  }

  private List<Cover> covers(List<Integer> ids) {
    return related(ids).stream().map(BookRow::cover).toList();
  }

  /** Related books of a book. */
  private List<BookRow> related(List<Integer> ids) {
    return entities.books().related().of(ids);
  }

  /** Some books with the days on which they were published. */
  List<Listed> published(List<Integer> ids) {
    return ids.stream()
        .map(entities.books().byId()::row)
        .map(book -> listed(book, book.published().toLocalDate().toString()))
        .toList();
  }

  /** Some books with how many copies of them were sold. */
  List<Listed> sold(List<JdbcQueries.Sold> books) {
    return books.stream()
        .map(sold -> listed(entities.books().byId().row(sold.book()), sold.copies()))
        .toList();
  }

  private Listed listed(BookRow book, String figure) {
    return book.listed(entities.authors().row(book.author()), figure);
  }

  /**
   * Changes a book, which is published anew, and finds out again what goes with it, which takes so
   * long that its row is locked only afterwards. Returns its title.
   */
  String change(BookChange change) throws SQLException {
    change.check(found(entities.books().byId(), change.item()).row().suggestedPrice());
    List<Integer> together = queries.boughtTogether(change.item());
    EntityHandle<BookRow> kept = entities.books().locked().known(change.item());
    BookRow book = kept.row();
    kept.change(book.changed(change, Related.choose(together, book.related()), queries.now()));
    return book.title();
  }

  /** Takes some copies of a book that there is. */
  void sell(int id, int copies) {
    EntityHandle<BookRow> kept = entities.books().locked().known(id);
    kept.change(kept.row().sold(copies));
  }
}
