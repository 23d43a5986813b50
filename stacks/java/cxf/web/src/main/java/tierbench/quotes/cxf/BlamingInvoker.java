package tierbench.quotes.cxf;

import java.lang.reflect.Method;
import java.util.List;
import org.apache.cxf.interceptor.Fault;
import org.apache.cxf.jaxws.JAXWSMethodInvoker;
import tierbench.quotes.Refused;

/** Calls the service. What that refuses is the caller's fault, and else CXF would blame itself. */
final class BlamingInvoker extends JAXWSMethodInvoker {
  BlamingInvoker(StockQuoteEndpoint service) {
    super(service);
  }

  @Override
  protected Fault createFault(
      Throwable failure, Method method, List<Object> parameters, boolean isChecked) {
    Fault fault = super.createFault(failure, method, parameters, isChecked);
    if (failure instanceof Refused) {
      fault.setFaultCode(Fault.FAULT_CODE_CLIENT);
    }
    return fault;
  }
}
