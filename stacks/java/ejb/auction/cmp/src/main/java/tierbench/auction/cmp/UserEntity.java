package tierbench.auction.cmp;

import jakarta.ejb.EJBLocalObject;
import java.math.BigDecimal;
import java.sql.Timestamp;

/** Who sells, bids, buys and comments. */
public interface UserEntity extends EJBLocalObject {
  Integer getId();

  String getFirstname();

  String getLastname();

  String getNickname();

  String getPassword();

  String getEmail();

  Integer getRating();

  void setRating(Integer rating);

  BigDecimal getBalance();

  void setBalance(BigDecimal balance);

  Timestamp getCreated();

  Integer getRegion();
}
