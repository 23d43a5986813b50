package tierbench.quotes.cxf;

import javax.xml.stream.XMLStreamReader;
import org.apache.cxf.binding.soap.Soap11;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.binding.soap.interceptor.AbstractSoapInterceptor;
import org.apache.cxf.interceptor.StaxInInterceptor;
import org.apache.cxf.phase.Phase;
import tierbench.quotes.Guard;

/** Has a message read through its guard. Until its envelope tells another version, it is of 1.1. */
final class Guarding extends AbstractSoapInterceptor {
  Guarding() {
    super(Phase.POST_STREAM);
    addAfter(StaxInInterceptor.class.getName());
  }

  @Override
  public void handleMessage(SoapMessage message) {
    message.setVersion(Soap11.getInstance());
    Guard guard = new Guard(message.getContent(XMLStreamReader.class));
    message.put(Guard.class, guard);
    message.setContent(XMLStreamReader.class, guard);
  }
}
