package tierbench.auction.jpa;

import java.math.BigDecimal;
import java.util.Optional;
import org.springframework.context.annotation.Profile;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import tierbench.auction.Rows;

@Profile("jpa")
interface Users extends JpaRepository<User, Integer> {
  Optional<User> findByNickname(String nickname);

  boolean existsByNickname(String nickname);

  @Query(
      """
      select new tierbench.auction.Rows$Profile(
          u.firstname, u.lastname, u.nickname, u.email, u.rating, u.balance, u.creationDate, u.region.name)
      from User u where u.id = :id""")
  Rows.Profile profile(int id);

  @Modifying
  @Query("update User u set u.balance = u.balance - :fee where u.id = :id")
  void take(int id, BigDecimal fee);

  @Modifying
  @Query("update User u set u.rating = u.rating + :rating where u.id = :id")
  void rate(int id, int rating);
}
