package tierbench.auction.cmp;

import jakarta.ejb.CreateException;
import jakarta.ejb.EJBLocalHome;
import jakarta.ejb.FinderException;
import java.math.BigDecimal;
import java.sql.Timestamp;

/** Where entities of this kind are found and made. */
public interface UserHome extends EJBLocalHome {
  UserEntity create(
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
      throws CreateException;

  UserEntity findByPrimaryKey(Integer id) throws FinderException;

  UserEntity findByNickname(String nickname) throws FinderException;
}
