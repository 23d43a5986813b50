package tierbench.quotes;

import java.util.regex.Pattern;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.util.StreamReaderDelegate;

/**
 * A message while an engine reads it. It has no document type, and no entities but those of XML.
 * Engines don't care whether what follows the operation is XML.
 */
public class Guard extends StreamReaderDelegate {
  private static final Pattern ENCODING = Pattern.compile("[A-Za-z][A-Za-z0-9._-]*");

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

  @Override
  public int nextTag() throws XMLStreamException {
    int event = next();
    while (isBetweenTags(event)) {
      event = next();
    }
    if (!isStartElement() && !isEndElement()) {
      throw new XMLStreamException("a tag is missing");
    }
    return event;
  }

  private boolean isBetweenTags(int event) {
    return event == XMLStreamConstants.COMMENT
        || event == XMLStreamConstants.PROCESSING_INSTRUCTION
        || isWhiteSpace();
  }

  private int read() throws XMLStreamException {
    try {
      expectEncoding();
      int event = super.next();
      if (event == XMLStreamConstants.DTD || event == XMLStreamConstants.ENTITY_REFERENCE) {
        throw new XMLStreamException("a message has no document type and no entities");
      }
      return event;
    } catch (XMLStreamException e) {
      isXml = false;
      throw e;
    }
  }

  /** A parser that is told the encoding of a message doesn't look at the one that it declares. */
  private void expectEncoding() throws XMLStreamException {
    if (getEventType() == XMLStreamConstants.START_DOCUMENT) {
      String declared = getCharacterEncodingScheme();
      if (declared != null && !ENCODING.matcher(declared).matches()) {
        throw new XMLStreamException("a message is in an encoding that has no name");
      }
    }
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
      return false;
    }
    return isXml;
  }
}
