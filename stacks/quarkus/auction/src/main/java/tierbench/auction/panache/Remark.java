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
import java.time.LocalDateTime;
import java.util.List;
import tierbench.auction.Rows;

@Entity
@Table(name = "comments")
public class Remark extends PanacheEntityBase {
  @Id
  @GeneratedValue(strategy = GenerationType.IDENTITY)
  public Integer id;

  @ManyToOne(fetch = FetchType.LAZY)
  @JoinColumn(name = "from_user_id")
  public User author;

  public Integer toUserId;
  public Integer itemId;
  public Integer rating;
  @DatabaseSecond public LocalDateTime date;
  public String comment;

  static List<Rows.Remark> about(int user) {
    return find(
            """
            select c.author.id, c.author.nickname, c.itemId, c.rating, c.date, c.comment
            from Remark c where c.toUserId = ?1 order by c.date desc, c.id desc""",
            user)
        .project(Rows.Remark.class)
        .list();
  }
}
