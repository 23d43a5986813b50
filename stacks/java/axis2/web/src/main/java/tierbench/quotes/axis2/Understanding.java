package tierbench.quotes.axis2;

import java.util.Iterator;
import org.apache.axiom.soap.SOAPEnvelope;
import org.apache.axiom.soap.SOAPHeaderBlock;
import org.apache.axis2.AxisFault;
import org.apache.axis2.context.MessageContext;
import org.apache.axis2.handlers.AbstractHandler;

/**
 * Refuses headers that must be understood; Axis2 would leave those of SOAP 1.1 to somebody else.
 */
public final class Understanding extends AbstractHandler {
  @Override
  public InvocationResponse invoke(MessageContext message) throws AxisFault {
    SOAPEnvelope envelope = message.getEnvelope();
    if (envelope.getHeader() == null) {
      return InvocationResponse.CONTINUE;
    }
    Iterator<SOAPHeaderBlock> blocks = envelope.getHeader().getHeadersToProcess(null);
    while (blocks.hasNext()) {
      if (blocks.next().getMustUnderstand()) {
        throw new AxisFault(
            "a header is not understood", Version.of(envelope).code("MustUnderstand"));
      }
    }
    return InvocationResponse.CONTINUE;
  }
}
