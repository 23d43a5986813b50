package tierbench.auction.entities;

import jakarta.ejb.CreateException;
import jakarta.ejb.FinderException;
import tierbench.ejb.LocalEntity;
import tierbench.ejb.LocalHome;
import tierbench.ejb.Parcel;

/** Where users are found and made from within their container. */
public interface LocalUsers extends LocalHome<UserRow> {
  LocalEntity<UserRow> create(Parcel<UserRow> row) throws CreateException;

  LocalEntity<UserRow> findByNickname(String nickname) throws FinderException;
}
