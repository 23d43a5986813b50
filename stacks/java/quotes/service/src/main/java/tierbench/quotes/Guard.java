package tierbench.quotes;

import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.util.StreamReaderDelegate;

/**
 * A message while an engine reads it. It has no document type, and no entities but those of XML.
 * Engines don't care whether what follows the operation is XML.
 */
public class Guard extends StreamReaderDelegate {
  private boolean isXml = true;

  public Guard(XMLStreamReader reader) {
    super(reader);
  }

  @Override
  public int next() throws XMLStreamException {
    int event = read();
    look(event);
    return event;
  }

  private int read() throws XMLStreamException {
    isXml = false;
    int event = super.next();
    if (event == XMLStreamConstants.DTD || event == XMLStreamConstants.ENTITY_REFERENCE) {
      throw new XMLStreamException("a message has neither document type nor entities", getLocation());
    }
    isXml = true;
    return event;
  }

  /** What else a message must be. */
  protected void look(int event) {}

  /**
   * Whether the message is XML from its beginning to its end, which it is read to. What is none has
   * no version of SOAP, whatever its envelope says, and is answered in 1.1.
   */
  public final boolean isXmlToEnd() {
    try {
      while (isXml && hasNext()) {
        read();
      }
    } catch (XMLStreamException e) {
      isXml = false;
    }
    return isXml;
  }
}
