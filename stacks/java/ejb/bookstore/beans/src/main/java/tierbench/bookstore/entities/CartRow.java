package tierbench.bookstore.entities;

import java.time.LocalDateTime;
import java.util.Optional;

/**
 * A cart, as its entity hands it over.
 *
 * @param becameOrder the order that it became
 */
public record CartRow(int id, LocalDateTime changed, Optional<Integer> becameOrder) {}
