package tierbench.quotes.axis2;

import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletException;
import java.io.OutputStream;
import java.io.Serial;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.axiom.om.OMAbstractFactory;
import org.apache.axis2.AxisFault;
import org.apache.axis2.context.MessageContext;
import org.apache.axis2.transport.http.AxisServlet;
import tierbench.quotes.Guard;

/** Axis2, which tells in the message's own version of SOAP what is wrong with it. */
public final class QuotesServlet extends AxisServlet {
  @Serial private static final long serialVersionUID = 1;

  /** Loggers are forgotten, and with them their levels, unless somebody holds them. */
  private static final Logger LOG = Logger.getLogger("org.apache.axis2");

  @Override
  public void init(ServletConfig config) throws ServletException {
    super.init(config);
    // It would log each refused message with its stack, with which anybody could fill the disk.
    LOG.setLevel(Level.OFF);
  }

  @Override
  protected void handleFault(MessageContext context, OutputStream out, AxisFault fault)
      throws AxisFault {
    Guard guard = (Guard) context.getProperty(Envelopes.GUARD);
    boolean isXml = guard != null && guard.isXmlToEnd();
    if (context.getEnvelope() == null || !isXml) {
      context.setEnvelope(OMAbstractFactory.getSOAP11Factory().getDefaultEnvelope());
    }
    Version version = Version.of(context.getEnvelope());
    super.handleFault(context, out, isXml ? version.told(fault) : version.blamed(fault));
  }
}
