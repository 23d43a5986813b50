package tierbench.ejb;

import jakarta.ejb.EJBException;
import java.sql.SQLException;
import tierbench.common.Fault;

/** The outcome of a call of a facade. */
public final class Answer {
  private Answer() {}

  /** The work of a call. */
  @FunctionalInterface
  public interface Business<T> {
    T answer() throws SQLException;
  }

  /**
   * Returns the answer, or throws the refusal that callers expect. A failure rolls back the call's
   * transaction.
   */
  public static <T> T of(Business<T> business) throws Refused {
    try {
      return business.answer();
    } catch (Fault fault) {
      throw new Refused(fault);
    } catch (SQLException e) {
      throw new EJBException(e);
    }
  }

  /** The outcome, as it is sent. */
  public static <T extends Record> Parcel<T> sent(Business<T> business) throws Refused {
    return new Parcel<>(of(business));
  }
}
