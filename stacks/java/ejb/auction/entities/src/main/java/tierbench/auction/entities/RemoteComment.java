package tierbench.auction.entities;

import java.rmi.RemoteException;
import java.sql.Timestamp;

/** A comment on a user, by its remote interface: its row, or single fields. */
public interface RemoteComment extends RemoteEntity<CommentRow> {
  Integer getId() throws RemoteException;

  Integer getAuthor() throws RemoteException;

  Integer getAbout() throws RemoteException;

  Integer getItem() throws RemoteException;

  Integer getRating() throws RemoteException;

  Timestamp getWritten() throws RemoteException;

  String getText() throws RemoteException;
}
