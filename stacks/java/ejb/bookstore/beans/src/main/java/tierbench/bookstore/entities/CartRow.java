package tierbench.bookstore.entities;

import java.time.LocalDateTime;
import java.util.Optional;

/**
 * A cart, as a value object.
 *
 * @param becameOrder the order that it became
 */
public record CartRow(int id, LocalDateTime changed, Optional<Integer> becameOrder) {}
