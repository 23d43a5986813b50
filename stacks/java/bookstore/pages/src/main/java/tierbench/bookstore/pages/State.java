package tierbench.bookstore.pages;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a visitor has going on, as all pages carry it on in their links and hidden fields.
 *
 * @param customer who is greeted, which gives no rights
 * @param sealed the number of the cart as it travels
 */
public record State(Optional<Integer> customer, Optional<Integer> cart, Optional<String> sealed) {
  /** The names of the parameters. */
  public static final String CUSTOMER = "C_ID";

  public static final String CART = "SHOPPING_ID";

  public static final State NONE = new State(Optional.empty(), Optional.empty(), Optional.empty());

  /** The hidden fields that carry it on. */
  public List<HiddenField> fields() {
    List<HiddenField> fields = new ArrayList<>();
    customer.ifPresent(id -> fields.add(new HiddenField(CUSTOMER, id.toString())));
    sealed.ifPresent(text -> fields.add(new HiddenField(CART, text)));
    return fields;
  }

  /** The end of a link that has other parameters. */
  public String more() {
    return fields().stream()
        .map(field -> '&' + field.name() + '=' + field.value())
        .collect(Collectors.joining());
  }

  /** The end of a link that has none. */
  public String query() {
    String more = more();
    return more.isEmpty() ? "" : '?' + more.substring(1);
  }

  /** The number that chooses what is promoted. */
  public int number() {
    return customer.orElse(0) + cart.orElse(0);
  }
}
