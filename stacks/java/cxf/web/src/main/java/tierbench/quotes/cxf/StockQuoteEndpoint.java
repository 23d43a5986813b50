package tierbench.quotes.cxf;

import jakarta.jws.WebService;
import java.time.ZoneOffset;
import java.util.GregorianCalendar;
import java.util.List;
import javax.xml.datatype.DatatypeConfigurationException;
import javax.xml.datatype.DatatypeFactory;
import javax.xml.datatype.XMLGregorianCalendar;
import tierbench.quotes.StockQuotes;
import tierbench.quotes.cxf.wire.Change;
import tierbench.quotes.cxf.wire.LastTrade;
import tierbench.quotes.cxf.wire.Node;
import tierbench.quotes.cxf.wire.Quote;
import tierbench.quotes.cxf.wire.StockQuotePortType;
import tierbench.quotes.cxf.wire.Struct;

/** The service as JAX-WS has it. */
@WebService(endpointInterface = "tierbench.quotes.cxf.wire.StockQuotePortType")
public final class StockQuoteEndpoint implements StockQuotePortType {
  private final DatatypeFactory types;

  public StockQuoteEndpoint() {
    try {
      types = DatatypeFactory.newInstance();
    } catch (DatatypeConfigurationException e) {
      throw new IllegalStateException("the JVM has no types of XML", e);
    }
  }

  @Override
  public Quote getStockQuote(String symbol) {
    tierbench.quotes.Quote known = StockQuotes.quote(symbol);
    LastTrade trade = new LastTrade();
    trade.setPrice(known.price());
    trade.setDate(date(known));
    Change change = new Change();
    change.setDollar(known.dollar());
    change.setPercent(known.percent());
    Quote quote = new Quote();
    quote.setSymbol(known.symbol());
    quote.setVolume(known.volume());
    quote.setLastTrade(trade);
    quote.setChange(change);
    return quote;
  }

  private XMLGregorianCalendar date(tierbench.quotes.Quote known) {
    return types.newXMLGregorianCalendar(
        GregorianCalendar.from(known.date().atZone(ZoneOffset.UTC)));
  }

  @Override
  public List<Struct> echoStruct(List<Struct> structures) {
    StockQuotes.checkStructures(structures, Struct::getVarFloat);
    return structures;
  }

  @Override
  public Node echoList(Node list) {
    StockQuotes.checkList(list, Node::getChild);
    return list;
  }
}
