package tierbench.bookstore.cmp;

import jakarta.ejb.CreateException;
import java.io.Serial;
import java.math.BigDecimal;
import java.sql.Timestamp;
import tierbench.bookstore.entities.CustomerRow;
import tierbench.common.Money;
import tierbench.ejb.CmpEntity;
import tierbench.ejb.Parcel;

/** A customer, with container-managed persistence. */
public abstract class CustomerBean extends CmpEntity<CustomerRow> {
  @Serial private static final long serialVersionUID = 1;

  public abstract Integer getId();

  public abstract void setId(Integer id);

  public abstract String getUname();

  public abstract void setUname(String uname);

  public abstract String getPassword();

  public abstract void setPassword(String password);

  public abstract String getFirstName();

  public abstract void setFirstName(String firstName);

  public abstract String getLastName();

  public abstract void setLastName(String lastName);

  public abstract Integer getAddress();

  public abstract void setAddress(Integer address);

  public abstract String getPhone();

  public abstract void setPhone(String phone);

  public abstract String getEmail();

  public abstract void setEmail(String email);

  public abstract Timestamp getSince();

  public abstract void setSince(Timestamp since);

  public abstract Timestamp getLastLogIn();

  public abstract void setLastLogIn(Timestamp lastLogIn);

  public abstract Timestamp getLogIn();

  public abstract void setLogIn(Timestamp logIn);

  public abstract Timestamp getExpires();

  public abstract void setExpires(Timestamp expires);

  public abstract Integer getDiscount();

  public abstract void setDiscount(Integer discount);

  public abstract BigDecimal getBalance();

  public abstract void setBalance(BigDecimal balance);

  public abstract BigDecimal getPaid();

  public abstract void setPaid(BigDecimal paid);

  public abstract Timestamp getBorn();

  public abstract void setBorn(Timestamp born);

  public abstract String getRemarks();

  public abstract void setRemarks(String remarks);

  public Integer ejbCreate(Parcel<CustomerRow> parcel) throws CreateException {
    CustomerRow row = parcel.content();
    setId(row.id());
    setUname(row.uname());
    setPassword(row.password());
    setFirstName(row.firstName());
    setLastName(row.lastName());
    setAddress(row.address());
    setPhone(row.phone());
    setEmail(row.email());
    setSince(Timestamp.valueOf(row.since()));
    setLastLogIn(Timestamp.valueOf(row.lastLogIn()));
    setLogIn(Timestamp.valueOf(row.logIn()));
    setExpires(Timestamp.valueOf(row.expires()));
    setDiscount(row.discount());
    setBalance(row.balance().toDecimal());
    setPaid(row.paid().toDecimal());
    setBorn(Timestamp.valueOf(row.born()));
    setRemarks(row.remarks());
    return null;
  }

  public void ejbPostCreate(Parcel<CustomerRow> parcel) {}

  @Override
  public Parcel<CustomerRow> row() {
    return new Parcel<>(
        new CustomerRow(
            getId(),
            getUname(),
            getPassword(),
            getFirstName(),
            getLastName(),
            getAddress(),
            getPhone(),
            getEmail(),
            getSince().toLocalDateTime(),
            getLastLogIn().toLocalDateTime(),
            getLogIn().toLocalDateTime(),
            getExpires().toLocalDateTime(),
            getDiscount(),
            Money.of(getBalance()),
            Money.of(getPaid()),
            getBorn().toLocalDateTime(),
            getRemarks()));
  }

  @Override
  public void change(Parcel<CustomerRow> parcel) {
    CustomerRow row = parcel.content();
    setLastLogIn(Timestamp.valueOf(row.lastLogIn()));
    setLogIn(Timestamp.valueOf(row.logIn()));
    setExpires(Timestamp.valueOf(row.expires()));
  }
}
