package tierbench.quotes.cxf;

import org.apache.cxf.binding.soap.Soap11;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.binding.soap.interceptor.AbstractSoapInterceptor;
import org.apache.cxf.phase.Phase;

/** Until its envelope tells another version, a message is one of SOAP 1.1. */
final class VersionUntilTold extends AbstractSoapInterceptor {
  VersionUntilTold() {
    super(Phase.RECEIVE);
  }

  @Override
  public void handleMessage(SoapMessage message) {
    message.setVersion(Soap11.getInstance());
  }
}
