package tierbench.quotes.cxf;

import org.apache.cxf.binding.soap.Soap11;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.binding.soap.interceptor.AbstractSoapInterceptor;
import org.apache.cxf.interceptor.Fault;
import org.apache.cxf.phase.Phase;
import tierbench.quotes.Failure;

/** What is no XML is answered in SOAP 1.1, whatever its envelope says. */
final class VersionOfNoXml extends AbstractSoapInterceptor {
  VersionOfNoXml() {
    super(Phase.SETUP);
  }

  @Override
  public void handleMessage(SoapMessage answer) {
    if (answer.getContent(Exception.class) instanceof Fault fault && Failure.isOfXml(fault)) {
      fault.setFaultCode(Fault.FAULT_CODE_CLIENT);
      answer.setVersion(Soap11.getInstance());
    }
  }
}
