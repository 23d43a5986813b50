package tierbench.quotes.cxf;

import jakarta.servlet.ServletConfig;
import java.io.Serial;
import java.net.MalformedURLException;
import java.net.URL;
import javax.xml.namespace.QName;
import org.apache.cxf.annotations.SchemaValidation.SchemaValidationType;
import org.apache.cxf.interceptor.Fault;
import org.apache.cxf.jaxws.EndpointImpl;
import org.apache.cxf.logging.FaultListener;
import org.apache.cxf.message.Message;
import org.apache.cxf.transport.servlet.CXFNonSpringServlet;

/**
 * CXF with the one service. It takes messages of both versions of SOAP where it is bound to 1.2,
 * and checks them by their schema: JAXB alone reads {@code 1 2} as 12 and a missing number as 0.
 */
public final class QuotesServlet extends CXFNonSpringServlet {
  @Serial private static final long serialVersionUID = 1;

  private static final String NAMESPACE = "http://example.org/web-services/stock-quotes";
  private static final String DESCRIPTION = "/quotes/StockQuoteService.wsdl";

  @Override
  protected void loadBus(ServletConfig config) {
    super.loadBus(config);
    StockQuoteEndpoint service = new StockQuoteEndpoint();
    EndpointImpl endpoint = new EndpointImpl(getBus(), service);
    endpoint.setWsdlLocation(description(config).toString());
    endpoint.setServiceName(new QName(NAMESPACE, "StockQuoteService"));
    endpoint.setEndpointName(new QName(NAMESPACE, "Soap12"));
    endpoint.setInvoker(new BlamingInvoker(service));
    endpoint.getInInterceptors().add(new Guarding());
    endpoint.getOutFaultInterceptors().add(new Blaming());
    endpoint.getProperties().put(Message.SCHEMA_VALIDATION_ENABLED, SchemaValidationType.IN);
    endpoint.getProperties().put(FaultListener.class.getName(), (FaultListener) this::isLogged);
    endpoint.publish("/");
  }

  private static URL description(ServletConfig config) {
    try {
      URL found = config.getServletContext().getResource(DESCRIPTION);
      if (found != null) {
        return found;
      }
    } catch (MalformedURLException e) {
      throw new IllegalStateException(DESCRIPTION + " is no path", e);
    }
    throw new IllegalStateException(DESCRIPTION + " is missing");
  }

  /** What callers do wrong isn't logged, with which anybody could fill the disk. */
  private boolean isLogged(Exception exception, String description, Message message) {
    boolean isOurs =
        !(exception instanceof Fault fault) || Fault.FAULT_CODE_SERVER.equals(fault.getFaultCode());
    return isOurs && message.getExchange().getBindingOperationInfo() != null;
  }
}
