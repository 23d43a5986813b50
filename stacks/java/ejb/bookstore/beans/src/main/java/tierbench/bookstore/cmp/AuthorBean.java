package tierbench.bookstore.cmp;

import java.io.Serial;
import tierbench.bookstore.entities.AuthorRow;
import tierbench.ejb.CmpEntity;
import tierbench.ejb.Parcel;

/** An author, with container-managed persistence. */
public abstract class AuthorBean extends CmpEntity<AuthorRow> {
  @Serial private static final long serialVersionUID = 1;

  public abstract Integer getId();

  public abstract void setId(Integer id);

  public abstract String getFirstName();

  public abstract void setFirstName(String firstName);

  public abstract String getLastName();

  public abstract void setLastName(String lastName);

  public abstract String getMiddleName();

  public abstract void setMiddleName(String middleName);

  public abstract String getAbout();

  public abstract void setAbout(String about);

  @Override
  public Parcel<AuthorRow> row() {
    return new Parcel<>(
        new AuthorRow(getId(), getFirstName(), getLastName(), getMiddleName(), getAbout()));
  }
}
