package tierbench.auction.cmp;

import jakarta.ejb.CreateException;
import java.io.Serial;
import java.math.BigDecimal;
import java.sql.Timestamp;
import tierbench.auction.entities.UserRow;
import tierbench.common.Money;
import tierbench.ejb.CmpEntity;
import tierbench.ejb.Parcel;

/** A user, with container-managed persistence. */
public abstract class UserBean extends CmpEntity<UserRow> {
  @Serial private static final long serialVersionUID = 1;

  public abstract Integer getId();

  public abstract void setId(Integer id);

  public abstract String getFirstname();

  public abstract void setFirstname(String firstname);

  public abstract String getLastname();

  public abstract void setLastname(String lastname);

  public abstract String getNickname();

  public abstract void setNickname(String nickname);

  public abstract String getPassword();

  public abstract void setPassword(String password);

  public abstract String getEmail();

  public abstract void setEmail(String email);

  public abstract Integer getRating();

  public abstract void setRating(Integer rating);

  public abstract BigDecimal getBalance();

  public abstract void setBalance(BigDecimal balance);

  public abstract Timestamp getCreated();

  public abstract void setCreated(Timestamp created);

  public abstract Integer getRegion();

  public abstract void setRegion(Integer region);

  public Integer ejbCreate(Parcel<UserRow> parcel) throws CreateException {
    UserRow row = parcel.content();
    setId(row.id());
    setFirstname(row.firstname());
    setLastname(row.lastname());
    setNickname(row.nickname());
    setPassword(row.password());
    setEmail(row.email());
    setRating(row.rating());
    setBalance(row.balance().toDecimal());
    setCreated(Timestamp.valueOf(row.created()));
    setRegion(row.region());
    return null;
  }

  public void ejbPostCreate(Parcel<UserRow> parcel) {}

  @Override
  public Parcel<UserRow> row() {
    return new Parcel<>(
        new UserRow(
            getId(),
            getFirstname(),
            getLastname(),
            getNickname(),
            getPassword(),
            getEmail(),
            getRating(),
            Money.of(getBalance()),
            getCreated().toLocalDateTime(),
            getRegion()));
  }

  @Override
  public void change(Parcel<UserRow> parcel) {
    UserRow is = row().content();
    UserRow row = parcel.content();
    if (row.rating() != is.rating()) {
      setRating(row.rating());
    }
    if (!row.balance().equals(is.balance())) {
      setBalance(row.balance().toDecimal());
    }
  }
}
