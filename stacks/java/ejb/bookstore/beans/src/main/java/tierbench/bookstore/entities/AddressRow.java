package tierbench.bookstore.entities;

import tierbench.bookstore.rules.Address;
import tierbench.bookstore.rules.NewAddress;

/** An address, as a value object. */
public record AddressRow(
    int id, String street1, String street2, String city, String state, String zip, int country) {
  public static AddressRow of(int id, NewAddress address) {
    return new AddressRow(
        id,
        address.street1(),
        address.street2(),
        address.city(),
        address.state(),
        address.zip(),
        address.country());
  }

  public Address in(String countryName) {
    return new Address(street1, street2, city, state, zip, countryName);
  }
}
