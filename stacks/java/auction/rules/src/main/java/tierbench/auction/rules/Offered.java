package tierbench.auction.rules;

/** An item of which somebody wants some. */
public interface Offered extends Priced {
  int id();

  int seller();

  /** How many of it are left. */
  int quantity();

  /**
   * Whether bids were taken when the item was read, up to and including the auction's last second.
   */
  boolean isOpen();
}
