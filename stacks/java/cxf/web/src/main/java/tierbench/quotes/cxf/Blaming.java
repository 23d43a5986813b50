package tierbench.quotes.cxf;

import org.apache.cxf.binding.soap.Soap11;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.binding.soap.interceptor.AbstractSoapInterceptor;
import org.apache.cxf.interceptor.Fault;
import org.apache.cxf.message.Exchange;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.Phase;
import tierbench.quotes.Guard;

/** Blames the caller where CXF would blame itself: for a message in which it finds no operation. */
final class Blaming extends AbstractSoapInterceptor {
  Blaming() {
    super(Phase.SETUP);
  }

  @Override
  public void handleMessage(SoapMessage answer) {
    if (!(answer.getContent(Exception.class) instanceof Fault fault)) {
      return;
    }
    Exchange exchange = answer.getExchange();
    Guard guard = exchange.getInMessage().get(Guard.class);
    if (guard == null || !guard.isXmlToEnd()) {
      fault.setFaultCode(Fault.FAULT_CODE_CLIENT);
      answer.setVersion(Soap11.getInstance());
      answer.put(Message.CONTENT_TYPE, Soap11.getInstance().getContentType());
    } else if (exchange.getBindingOperationInfo() == null
        && Fault.FAULT_CODE_SERVER.equals(fault.getFaultCode())) {
      fault.setFaultCode(Fault.FAULT_CODE_CLIENT);
    }
  }
}
