package tierbench.ejb;

import jakarta.ejb.EJBException;
import java.sql.SQLException;
import tierbench.common.Fault;

/** What a call of a facade comes to. */
public final class Answer {
  private Answer() {}

  /** What is done to answer. */
  @FunctionalInterface
  public interface Business<T> {
    T answer() throws SQLException;
  }

  /** Its answer, or the refusal that callers know. What fails ends the call's transaction. */
  public static <T> T of(Business<T> business) throws Refused {
    try {
      return business.answer();
    } catch (Fault fault) {
      throw new Refused(fault);
    } catch (SQLException e) {
      throw new EJBException(e);
    }
  }

  /** The same, as it is sent. */
  public static <T extends Record> Parcel<T> sent(Business<T> business) throws Refused {
    return new Parcel<>(of(business));
  }
}
