package tierbench.quotes.axis2;

import java.util.Calendar;
import java.util.List;
import java.util.TimeZone;
import tierbench.quotes.Quote;
import tierbench.quotes.StockQuotes;
import tierbench.quotes.axis2.wire.Change;
import tierbench.quotes.axis2.wire.EchoList;
import tierbench.quotes.axis2.wire.EchoListResponse;
import tierbench.quotes.axis2.wire.EchoStruct;
import tierbench.quotes.axis2.wire.EchoStructResponse;
import tierbench.quotes.axis2.wire.GetStockQuote;
import tierbench.quotes.axis2.wire.GetStockQuoteResponse;
import tierbench.quotes.axis2.wire.LastTrade;
import tierbench.quotes.axis2.wire.Node;
import tierbench.quotes.axis2.wire.StockQuoteServiceSkeletonInterface;
import tierbench.quotes.axis2.wire.Struct;

/** The service as Axis2 has it. */
public final class StockQuoteEndpoint implements StockQuoteServiceSkeletonInterface {
  @Override
  public GetStockQuoteResponse getStockQuote(GetStockQuote request) {
    GetStockQuoteResponse response = new GetStockQuoteResponse();
    response.setReturnQuote(onWire(StockQuotes.quote(request.getSymbol())));
    return response;
  }

  private static tierbench.quotes.axis2.wire.Quote onWire(Quote known) {
    Calendar date = Calendar.getInstance(TimeZone.getTimeZone("UTC"));
    date.setTimeInMillis(known.date().toEpochMilli());
    LastTrade trade = new LastTrade();
    trade.setPrice(known.price());
    trade.setDate(date);
    Change change = new Change();
    change.setDollar(known.dollar());
    change.setPercent(known.percent());
    tierbench.quotes.axis2.wire.Quote quote = new tierbench.quotes.axis2.wire.Quote();
    quote.setSymbol(known.symbol());
    quote.setVolume(known.volume());
    quote.setLastTrade(trade);
    quote.setChange(change);
    return quote;
  }

  @Override
  public EchoStructResponse echoStruct(EchoStruct request) {
    Struct[] structures = request.getInputStruct();
    StockQuotes.checkStructures(List.of(structures), Struct::getVarFloat);
    EchoStructResponse response = new EchoStructResponse();
    response.setReturnStruct(structures);
    return response;
  }

  @Override
  public EchoListResponse echoList(EchoList request) {
    StockQuotes.checkList(request.getInputList(), Node::getChild);
    EchoListResponse response = new EchoListResponse();
    response.setReturnList(request.getInputList());
    return response;
  }
}
