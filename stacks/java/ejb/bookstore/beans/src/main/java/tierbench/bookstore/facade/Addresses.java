package tierbench.bookstore.facade;

import java.sql.SQLException;
import java.util.List;
import tierbench.bookstore.entities.AddressRow;
import tierbench.bookstore.entities.Entities;
import tierbench.bookstore.rules.Address;
import tierbench.bookstore.rules.NewAddress;
import tierbench.common.Fault;

/** The addresses, entity by entity. */
record Addresses(Entities entities, JdbcQueries queries) {
  /** Refuses a country that is none. */
  void check(NewAddress address) {
    if (entities.countries().byId().find(address.country()).isEmpty()) {
      throw Fault.parameter("COUNTRY");
    }
  }

  /** Only for addresses that another row refers to. */
  Address find(int id) {
    return shown(entities.addresses().byId().row(id));
  }

  Address shown(AddressRow address) {
    return address.in(entities.countries().byId().row(address.country()).name());
  }

  /** The first equal address, or else a new one. */
  AddressRow findOrMake(NewAddress address) throws SQLException {
    List<AddressRow> same = entities.addresses().same().of(address);
    return same.isEmpty() ? make(address) : same.get(0);
  }

  private AddressRow make(NewAddress address) throws SQLException {
    AddressRow made = AddressRow.of(queries.newId(Numbered.ADDRESSES), address);
    entities.addresses().newOnes().make(made);
    return made;
  }
}
