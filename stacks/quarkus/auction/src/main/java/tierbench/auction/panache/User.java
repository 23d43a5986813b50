package tierbench.auction.panache;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.Optional;
import tierbench.auction.Rows;

@Entity
@Table(name = "users")
public class User extends PanacheEntityBase {
  @Id
  @GeneratedValue(strategy = GenerationType.IDENTITY)
  public Integer id;

  public String firstname;
  public String lastname;
  public String nickname;
  public String password;
  public String email;
  public int rating;
  public BigDecimal balance;
  @DatabaseSecond public LocalDateTime creationDate;

  @ManyToOne(fetch = FetchType.LAZY)
  @JoinColumn(name = "region")
  public Region region;

  static Optional<User> called(String nickname) {
    return find("nickname", nickname).firstResultOptional();
  }

  /** A user whose row isn't read. */
  static User reference(int id) {
    return getEntityManager().getReference(User.class, id);
  }

  static Rows.Profile profile(int id) {
    return find(
            """
            select u.firstname, u.lastname, u.nickname, u.email, u.rating, u.balance, u.creationDate, u.region.name
            from User u where u.id = ?1""",
            id)
        .project(Rows.Profile.class)
        .singleResult();
  }

  static void take(int id, BigDecimal fee) {
    update("balance = balance - ?1 where id = ?2", fee, id);
  }

  static void rate(int id, int rating) {
    update("rating = rating + ?1 where id = ?2", rating, id);
  }
}
