package tierbench.bookstore.entities;

import java.time.LocalDateTime;
import java.util.List;
import tierbench.bookstore.rules.Book;
import tierbench.bookstore.rules.BookChange;
import tierbench.bookstore.rules.Cover;
import tierbench.bookstore.rules.EditedBook;
import tierbench.bookstore.rules.Listed;
import tierbench.bookstore.rules.Pictured;
import tierbench.bookstore.rules.Stock;
import tierbench.common.Money;

/** A book, as a value object, with the ids of those that go with it. */
public record BookRow(
    int id,
    String title,
    int author,
    LocalDateTime published,
    String publisher,
    String subject,
    String description,
    List<Integer> related,
    String thumbnail,
    String image,
    Money suggestedPrice,
    Money price,
    LocalDateTime available,
    int stock,
    String isbn,
    int pages,
    String binding,
    String size) {

  public Book by(AuthorRow writer) {
    return new Book(
        id,
        title,
        writer.fullName(),
        writer.about(),
        published.toLocalDate(),
        publisher,
        subject,
        description,
        image,
        suggestedPrice,
        price,
        available.toLocalDate(),
        stock,
        isbn,
        pages,
        binding,
        size,
        related);
  }

  public EditedBook editedBy(AuthorRow writer) {
    return new EditedBook(pictured(), writer.name(), price, suggestedPrice, related);
  }

  public Listed listed(AuthorRow writer, String figure) {
    return new Listed(id, title, writer.name(), figure);
  }

  public Cover cover() {
    return new Cover(id, title, thumbnail);
  }

  public Pictured pictured() {
    return new Pictured(id, title, image, thumbnail);
  }

  /** The row of a new edition, with other related books. */
  public BookRow changed(BookChange change, List<Integer> others, LocalDateTime now) {
    return with(now, others, change.thumbnail(), change.image(), change.price(), stock);
  }

  /** The row after some copies were sold. */
  public BookRow sold(int copies) {
    return with(published, related, thumbnail, image, price, Stock.without(copies, stock));
  }

  private BookRow with(
      LocalDateTime otherPublished,
      List<Integer> otherRelated,
      String otherThumbnail,
      String otherImage,
      Money otherPrice,
      int otherStock) {
    return new BookRow(
        id,
        title,
        author,
        otherPublished,
        publisher,
        subject,
        description,
        otherRelated,
        otherThumbnail,
        otherImage,
        suggestedPrice,
        otherPrice,
        available,
        otherStock,
        isbn,
        pages,
        binding,
        size);
  }
}
