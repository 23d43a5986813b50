package tierbench.bookstore.cmp;

import jakarta.ejb.CreateException;
import java.io.Serial;
import tierbench.bookstore.entities.AddressRow;
import tierbench.ejb.CmpEntity;
import tierbench.ejb.Parcel;

/** An address, with container-managed persistence. */
public abstract class AddressBean extends CmpEntity<AddressRow> {
  @Serial private static final long serialVersionUID = 1;

  public abstract Integer getId();

  public abstract void setId(Integer id);

  public abstract String getStreet1();

  public abstract void setStreet1(String street1);

  public abstract String getStreet2();

  public abstract void setStreet2(String street2);

  public abstract String getCity();

  public abstract void setCity(String city);

  public abstract String getState();

  public abstract void setState(String state);

  public abstract String getZip();

  public abstract void setZip(String zip);

  public abstract Integer getCountry();

  public abstract void setCountry(Integer country);

  public Integer ejbCreate(Parcel<AddressRow> parcel) throws CreateException {
    AddressRow row = parcel.content();
    setId(row.id());
    setStreet1(row.street1());
    setStreet2(row.street2());
    setCity(row.city());
    setState(row.state());
    setZip(row.zip());
    setCountry(row.country());
    return null;
  }

  public void ejbPostCreate(Parcel<AddressRow> parcel) {}

  @Override
  public Parcel<AddressRow> row() {
    return new Parcel<>(
        new AddressRow(
            getId(), getStreet1(), getStreet2(), getCity(), getState(), getZip(), getCountry()));
  }
}
