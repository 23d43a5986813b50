package tierbench.quotes.axis2;

import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamReader;
import org.apache.axiom.soap.SOAP11Constants;
import org.apache.axiom.soap.SOAP12Constants;
import org.apache.axiom.soap.SOAPEnvelope;
import org.apache.axis2.AxisFault;

/** The versions of SOAP, and how each calls what can be wrong with a message. */
enum Version {
  ONE(SOAP11Constants.SOAP_ENVELOPE_NAMESPACE_URI, "Client"),
  TWO(SOAP12Constants.SOAP_ENVELOPE_NAMESPACE_URI, "Sender");

  private static final String PREFIX = "soapenv";
  private static final String ENVELOPE = "Envelope";

  private final String namespace;
  private final String caller;

  Version(String namespace, String caller) {
    this.namespace = namespace;
    this.caller = caller;
  }

  /** Refuses an element that is the envelope of no version. */
  static void expectEnvelope(XMLStreamReader element) throws AxisFault {
    String namespace = element.getNamespaceURI();
    boolean isKnown = ONE.namespace.equals(namespace) || TWO.namespace.equals(namespace);
    if (!isKnown || !ENVELOPE.equals(element.getLocalName())) {
      throw new AxisFault("no envelope of SOAP", ONE.code("VersionMismatch"));
    }
  }

  static Version of(SOAPEnvelope envelope) {
    return TWO.namespace.equals(envelope.getNamespace().getNamespaceURI()) ? TWO : ONE;
  }

  QName code(String name) {
    return new QName(namespace, name, PREFIX);
  }

  /** A fault with a code of this version: the caller is to blame, unless it says otherwise. */
  AxisFault told(AxisFault fault) {
    QName code = fault.getFaultCode();
    return code != null && namespace.equals(code.getNamespaceURI()) ? fault : blamed(fault);
  }

  /** A fault for which the caller is to blame. */
  AxisFault blamed(AxisFault fault) {
    return new AxisFault(fault.getMessage(), code(caller), fault);
  }
}
