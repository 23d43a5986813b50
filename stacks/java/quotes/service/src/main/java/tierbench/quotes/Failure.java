package tierbench.quotes;

import javax.xml.stream.XMLStreamException;

/** Why a message could not be answered, as engines tell it. */
public final class Failure {
  private Failure() {}

  /**
   * Whether the message is no XML. It has no version of SOAP then, whatever its envelope says, and
   * is answered in 1.1.
   */
  public static boolean isOfXml(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof XMLStreamException) {
        return true;
      }
    }
    return false;
  }
}
