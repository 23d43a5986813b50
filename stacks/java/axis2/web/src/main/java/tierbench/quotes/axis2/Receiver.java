package tierbench.quotes.axis2;

import org.apache.axis2.AxisFault;
import org.apache.axis2.context.MessageContext;
import tierbench.quotes.Guard;
import tierbench.quotes.axis2.wire.StockQuoteServiceMessageReceiverInOut;

/** Calls the service. Once Axis2 has the operation, it doesn't care whether the rest is XML. */
public final class Receiver extends StockQuoteServiceMessageReceiverInOut {
  @Override
  public void invokeBusinessLogic(MessageContext message, MessageContext answer) throws AxisFault {
    super.invokeBusinessLogic(message, answer);
    if (!((Guard) message.getProperty(Envelopes.GUARD)).isXmlToEnd()) {
      throw new AxisFault("what follows the operation is no XML");
    }
  }
}
