package tierbench.auction.entities;

import jakarta.ejb.CreateException;
import jakarta.ejb.FinderException;
import tierbench.ejb.LocalEntity;
import tierbench.ejb.LocalHome;
import tierbench.ejb.Parcel;

/** Local home of users. */
public interface UserLocalHome extends LocalHome<UserRow> {
  LocalEntity<UserRow> create(Parcel<UserRow> row) throws CreateException;

  LocalEntity<UserRow> findByNickname(String nickname) throws FinderException;
}
