package tierbench.bookstore.rules;

import java.util.List;
import tierbench.common.Money;

/** A book as those see it who may change it. */
public record EditedBook(
    Pictured pictured, String author, Money price, Money suggestedPrice, List<Integer> related) {}
