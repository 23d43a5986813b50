package tierbench.bookstore.entities;

import java.time.LocalDateTime;
import tierbench.bookstore.rules.Address;
import tierbench.bookstore.rules.Customer;
import tierbench.bookstore.rules.NewCustomer;
import tierbench.common.Money;

/** A customer, as a value object. */
public record CustomerRow(
    int id,
    String uname,
    String password,
    String firstName,
    String lastName,
    int address,
    String phone,
    String email,
    LocalDateTime since,
    LocalDateTime lastLogIn,
    LocalDateTime logIn,
    LocalDateTime expires,
    int discount,
    Money balance,
    Money paid,
    LocalDateTime born,
    String remarks) {
  /** Hours after which a log-in expires. */
  private static final int HOURS = 2;

  /** The row of a new customer. */
  public static CustomerRow of(int id, NewCustomer customer, int address, LocalDateTime now) {
    return new CustomerRow(
        id,
        customer.uname(),
        customer.passwordHash(),
        customer.firstName(),
        customer.lastName(),
        address,
        customer.phone(),
        customer.email(),
        now,
        now,
        now,
        now.plusHours(HOURS),
        customer.discount(),
        new Money(0),
        new Money(0),
        customer.birthdate().atStartOfDay(),
        customer.data());
  }

  public String name() {
    return firstName + ' ' + lastName;
  }

  /** The row after a log-in. */
  public CustomerRow loggedIn(LocalDateTime now) {
    return new CustomerRow(
        id,
        uname,
        password,
        firstName,
        lastName,
        address,
        phone,
        email,
        since,
        logIn,
        now,
        now.plusHours(HOURS),
        discount,
        balance,
        paid,
        born,
        remarks);
  }

  public Customer livingAt(Address home) {
    return new Customer(firstName, lastName, email, discount, home);
  }
}
