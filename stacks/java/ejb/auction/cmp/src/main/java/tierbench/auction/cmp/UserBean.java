package tierbench.auction.cmp;

import jakarta.ejb.CreateException;
import java.io.Serial;
import java.math.BigDecimal;
import java.sql.Timestamp;

/** Who sells, bids, buys and comments. The container keeps its state. */
public abstract class UserBean extends KeptByContainer {
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

  public Integer ejbCreate(
      Integer id,
      String firstname,
      String lastname,
      String nickname,
      String password,
      String email,
      Integer rating,
      BigDecimal balance,
      Timestamp created,
      Integer region)
      throws CreateException {
    setId(id);
    setFirstname(firstname);
    setLastname(lastname);
    setNickname(nickname);
    setPassword(password);
    setEmail(email);
    setRating(rating);
    setBalance(balance);
    setCreated(created);
    setRegion(region);
    return null;
  }

  public void ejbPostCreate(
      Integer id,
      String firstname,
      String lastname,
      String nickname,
      String password,
      String email,
      Integer rating,
      BigDecimal balance,
      Timestamp created,
      Integer region) {}
}
