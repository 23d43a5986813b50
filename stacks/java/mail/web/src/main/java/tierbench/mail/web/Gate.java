package tierbench.mail.web;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import tierbench.common.Fault;
import tierbench.common.web.Form;
import tierbench.mail.back.Functions;
import tierbench.mail.back.Login;
import tierbench.mail.back.Refusals;
import tierbench.mail.back.SessionKey;
import tierbench.mail.template.Material;
import tierbench.mail.template.Value;

/** Lets requests through to their pages, whatever these are made with, and refuses others. */
final class Gate extends HttpFilter {
  /** The page that tells why a request was refused. */
  static final String ERROR = "Error";

  @Serial private static final long serialVersionUID = 1;

  /** The attribute of a request that is on its way to that page. */
  private static final String REFUSED = Gate.class.getName();

  private static final Logger LOG = Logger.getLogger(Gate.class.getName());
  private static final int LONGEST_COOKIE = 400;
  private static final String COOKIE = "session";
  private static final String ATTRIBUTES = "; HttpOnly; SameSite=Lax";

  private final transient SessionKey key;
  private final transient Functions functions;
  private final boolean speaksXml;

  Gate(SessionKey key, Functions functions, boolean speaksXml) {
    this.key = key;
    this.functions = functions;
    this.speaksXml = speaksXml;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    // The way from an error of the container's to the page leads through here, too.
    if (request.getAttribute(REFUSED) != null) {
      chain.doFilter(request, response);
      return;
    }
    try {
      Route route = route(request, response);
      if (route.kind() != Route.Kind.FILE) {
        request.setAttribute(Material.ATTRIBUTE, visit(request, response, route));
      }
      chain.doFilter(request, response);
    } catch (Fault fault) {
      refuse(request, response, fault);
    } catch (RuntimeException error) {
      LOG.log(Level.SEVERE, "a request failed", error);
      refuse(request, response, Fault.internal());
    }
  }

  private static Route route(HttpServletRequest request, HttpServletResponse response) {
    if (request.getDispatcherType() == DispatcherType.ERROR) {
      throw Fault.ofServer(response.getStatus());
    }
    Route route = Route.ALL.get(request.getServletPath());
    if (route == null) {
      throw Fault.unknownPage();
    }
    if (!route.method().equals(request.getMethod())) {
      response.setHeader("Allow", route.method());
      throw Fault.wrongMethod(route.method());
    }
    return route;
  }

  /** What a request brings; refused if something is wrong with it. */
  private Visit visit(HttpServletRequest request, HttpServletResponse response, Route route) {
    Form form = new Form(request);
    Login login =
        route.kind() == Route.Kind.SESSION
            ? session(request)
            : new Login(Route.nickname(form, "nickname"), form.text("password", 20));
    Map<String, Value> values = route.parameters().read(form);
    Visit.Part part =
        (function, arguments) -> {
          Value value = functions.call(function, login, arguments);
          setCookie(response, function, login);
          return value;
        };
    return new Visit(values, speaksXml ? new XmlPart(part) : part);
  }

  /** Whoever the first session proves. */
  private Login session(HttpServletRequest request) {
    return Stream.ofNullable(request.getCookies())
        .flatMap(Stream::of)
        .filter(cookie -> cookie.getName().equals(COOKIE))
        .findFirst()
        .map(Cookie::getValue)
        .filter(value -> value.length() <= LONGEST_COOKIE)
        .flatMap(key::unlock)
        .orElseThrow(Refusals::notLoggedIn);
  }

  /** What the site remembers of a user, it gives to the browser. */
  private void setCookie(HttpServletResponse response, String function, Login login) {
    switch (function) {
      case "log_in" ->
          response.setHeader(
              "Set-Cookie", COOKIE + "=" + key.lock(login) + "; Path=/mail" + ATTRIBUTES);
      case "log_out" ->
          response.setHeader("Set-Cookie", COOKIE + "=; Path=/mail; Max-Age=0" + ATTRIBUTES);
      default -> {}
    }
  }

  private void refuse(HttpServletRequest request, HttpServletResponse response, Fault fault)
      throws IOException, ServletException {
    response.resetBuffer();
    response.setStatus(fault.status());
    request.setAttribute(REFUSED, true);
    request.setAttribute(
        Material.ATTRIBUTE,
        Visit.showing(
            Map.of("heading", Value.of(fault.heading()), "message", Value.of(fault.getMessage()))));
    getServletContext().getNamedDispatcher(ERROR).forward(new Asked(request), response);
  }

  /** A page that was compiled from JSP answers few methods; this one answers all. */
  private static final class Asked extends HttpServletRequestWrapper {
    Asked(HttpServletRequest request) {
      super(request);
    }

    @Override
    public String getMethod() {
      return "GET";
    }
  }
}
