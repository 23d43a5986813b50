package tierbench.auction.jpa;

import java.util.List;
import org.springframework.context.annotation.Profile;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;
import tierbench.auction.Rows;

@Profile("jpa")
interface Remarks extends JpaRepository<Remark, Integer> {
  @Query(
      """
      select new tierbench.auction.Rows$Remark(c.author.id, c.author.nickname, c.itemId, c.rating, c.date, c.comment)
      from Remark c where c.toUserId = :user order by c.date desc, c.id desc""")
  List<Rows.Remark> about(int user);
}
