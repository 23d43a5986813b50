package tierbench.quotes;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serial;
import java.util.Map;

/** Where every request arrives. Messages are read whole, so that no engine sees too long a one. */
public final class Gate extends HttpFilter {
  @Serial private static final long serialVersionUID = 1;

  /** More than that is not read. */
  private static final int LONGEST_MESSAGE = 2 * 1024 * 1024;

  private static final String PLAIN = "/quotes/PlainQuote";
  private static final String ANSWER = "/quotes/quote.xml";

  /** How each path is asked for. */
  private static final Map<String, String> METHODS =
      Map.of(
          "/quotes/StockQuoteService",
          "POST",
          PLAIN,
          "POST",
          ANSWER,
          "GET",
          "/quotes/StockQuoteService.wsdl",
          "GET");

  private transient byte[] plainAnswer;

  @Override
  public void init() throws ServletException {
    try (InputStream answer = getServletContext().getResourceAsStream(ANSWER)) {
      if (answer == null) {
        throw new ServletException(ANSWER + " is missing");
      }
      plainAnswer = answer.readAllBytes();
    } catch (IOException e) {
      throw new ServletException(ANSWER + " can't be read", e);
    }
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String method = METHODS.get(request.getServletPath());
    if (method == null) {
      response.setStatus(HttpServletResponse.SC_NOT_FOUND);
    } else if (!method.equals(request.getMethod())) {
      response.setHeader("Allow", method);
      response.setStatus(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
    } else if ("GET".equals(method)) {
      chain.doFilter(request, response);
    } else {
      take(request, response, chain);
    }
  }

  private void take(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    byte[] message = request.getInputStream().readNBytes(LONGEST_MESSAGE + 1);
    if (message.length > LONGEST_MESSAGE) {
      response.setStatus(HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE);
    } else if (PLAIN.equals(request.getServletPath())) {
      response.setContentType("text/xml;charset=utf-8");
      response.setContentLength(plainAnswer.length);
      response.getOutputStream().write(plainAnswer);
    } else {
      chain.doFilter(new WholeRequest(request, message), response);
    }
  }
}
