package tierbench.quotes.axis2;

import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.util.StreamReaderDelegate;

/** A message as it is read: it has no document type, and is XML to its end. */
final class Guard extends StreamReaderDelegate {
  Guard(XMLStreamReader reader) {
    super(reader);
  }

  @Override
  public int next() throws XMLStreamException {
    int event = super.next();
    if (event == XMLStreamConstants.DTD) {
      throw new XMLStreamException("a message has no document type", getLocation());
    }
    return event;
  }

  /** Reads what no engine asks for once it has the operation. */
  void readToEnd() throws XMLStreamException {
    while (hasNext()) {
      next();
    }
  }
}
