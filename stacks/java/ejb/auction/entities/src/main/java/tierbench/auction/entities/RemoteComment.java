package tierbench.auction.entities;

import java.rmi.RemoteException;
import java.sql.Timestamp;

/**
 * What a user says about another one, called from anywhere: for its row, or for one field after the
 * other.
 */
public interface RemoteComment extends RemoteEntity<CommentRow> {
  Integer getId() throws RemoteException;

  Integer getAuthor() throws RemoteException;

  Integer getAbout() throws RemoteException;

  Integer getItem() throws RemoteException;

  Integer getRating() throws RemoteException;

  Timestamp getWritten() throws RemoteException;

  String getText() throws RemoteException;
}
