package tierbench.bookstore.rules;

import java.time.LocalDate;
import java.util.List;
import tierbench.common.Money;

/** All that the page of a book shows. */
public record Book(
    int id,
    String title,
    String author,
    String aboutAuthor,
    LocalDate published,
    String publisher,
    String subject,
    String description,
    String image,
    Money suggestedPrice,
    Money price,
    LocalDate available,
    int stock,
    String isbn,
    int pages,
    String binding,
    String size,
    List<Integer> related) {}
