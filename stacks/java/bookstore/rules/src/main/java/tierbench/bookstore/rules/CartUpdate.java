package tierbench.bookstore.rules;

import java.util.Map;
import java.util.Optional;

/**
 * A requested change of a cart.
 *
 * @param quantities of books by their ids; 0 takes one out
 * @param added a book of which one more copy is requested
 */
public record CartUpdate(Map<Integer, Integer> quantities, Optional<Integer> added) {}
