package tierbench.bookstore.rules;

import java.util.Map;
import java.util.Optional;

/**
 * What somebody wants of a cart.
 *
 * @param quantities of books by their ids; 0 takes one out
 * @param added a book to be added, or of which one more is
 */
public record CartWish(Map<Integer, Integer> quantities, Optional<Integer> added) {}
