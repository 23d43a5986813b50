package tierbench.bookstore.cmp;

import java.io.Serial;
import tierbench.bookstore.rules.Country;
import tierbench.ejb.CmpEntity;
import tierbench.ejb.Parcel;

/** A country, with container-managed persistence. */
public abstract class CountryBean extends CmpEntity<Country> {
  @Serial private static final long serialVersionUID = 1;

  public abstract Integer getId();

  public abstract void setId(Integer id);

  public abstract String getName();

  public abstract void setName(String name);

  @Override
  public Parcel<Country> row() {
    return new Parcel<>(new Country(getId(), getName()));
  }
}
