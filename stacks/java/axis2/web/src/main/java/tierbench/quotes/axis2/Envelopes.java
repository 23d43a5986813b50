package tierbench.quotes.axis2;

import java.io.InputStream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import org.apache.axiom.om.OMElement;
import org.apache.axiom.om.OMXMLBuilderFactory;
import org.apache.axis2.AxisFault;
import org.apache.axis2.builder.Builder;
import org.apache.axis2.context.MessageContext;
import tierbench.quotes.Guard;

/** Makes of a message what Axis2 works on. Its own builder would go by the type that HTTP tells. */
public final class Envelopes implements Builder {
  /** What the context of a message calls its guard. */
  static final String GUARD = Guard.class.getName();

  private static final XMLInputFactory PARSERS = parsers();

  private static XMLInputFactory parsers() {
    XMLInputFactory parsers = XMLInputFactory.newFactory();
    parsers.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    parsers.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    // Faults in a text are found when the text is read, and not when somebody asks for it.
    parsers.setProperty("com.ctc.wstx.lazyParsing", false);
    return parsers;
  }

  @Override
  public OMElement processDocument(InputStream message, String type, MessageContext context)
      throws AxisFault {
    try {
      Guard guard = new NumberGuard(PARSERS.createXMLStreamReader(message, "UTF-8"));
      context.setProperty(GUARD, guard);
      while (!guard.isStartElement()) {
        guard.next();
      }
      Version.expectEnvelope(guard);
      return OMXMLBuilderFactory.createStAXSOAPModelBuilder(guard).getSOAPEnvelope();
    } catch (XMLStreamException e) {
      throw AxisFault.makeFault(e);
    }
  }
}
