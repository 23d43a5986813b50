package tierbench.quotes.axis2;

import javax.xml.stream.XMLStreamException;
import org.apache.axis2.AxisFault;
import org.apache.axis2.context.MessageContext;
import tierbench.quotes.axis2.wire.StockQuoteServiceMessageReceiverInOut;

/** Calls the service. Once Axis2 has the operation, it doesn't care whether the rest is XML. */
public final class Receiver extends StockQuoteServiceMessageReceiverInOut {
  @Override
  public void invokeBusinessLogic(MessageContext message, MessageContext answer)
      throws AxisFault {
    super.invokeBusinessLogic(message, answer);
    try {
      ((Guard) message.getProperty(Envelopes.GUARD)).readToEnd();
    } catch (XMLStreamException e) {
      throw AxisFault.makeFault(e);
    }
  }
}
