package tierbench.auction.cmp;

import jakarta.ejb.CreateException;
import jakarta.ejb.EJBLocalHome;
import jakarta.ejb.FinderException;
import java.sql.Timestamp;
import java.util.Collection;

/** Where entities of this kind are found and made. */
public interface CommentHome extends EJBLocalHome {
  CommentEntity create(
      Integer id,
      Integer author,
      Integer about,
      Integer item,
      Integer rating,
      Timestamp written,
      String text)
      throws CreateException;

  CommentEntity findByPrimaryKey(Integer id) throws FinderException;

  Collection<CommentEntity> findAbout(Integer user) throws FinderException;
}
