package tierbench.common.web;

import gg.jte.models.runtime.JteModel;
import gg.jte.output.Utf8ByteOutput;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.sql.SQLException;
import java.time.Clock;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import tierbench.common.Environment;
import tierbench.common.Fault;
import tierbench.common.TokenKey;
import tierbench.common.data.Database;
import tierbench.common.data.Session;

/** Where every request of an application arrives. */
public abstract class FrontServlet extends HttpServlet {
  @Serial private static final long serialVersionUID = 1;

  private static final Logger LOG = Logger.getLogger(FrontServlet.class.getName());

  /** Browsers send the same request once more, to the same address over TLS. */
  private static final int PERMANENT_REDIRECT = 308;

  /** The parameter of the context with the port on which TLS is spoken; blank if none is. */
  private static final String TLS_PORT = "tls.port";

  private transient Map<String, Route> routes;
  private transient Database database;
  private transient TokenKey tokenKey;

  /** What is found at each path. */
  protected abstract Map<String, Route> routes();

  /**
   * Whether a path is that of a file that was made for these data, which {@link #routes} can't
   * know.
   */
  protected boolean isMadeFile(String path) {
    return false;
  }

  /** The page that tells why a request was refused. */
  protected abstract JteModel refusal(Fault fault);

  @Override
  public void init() throws ServletException {
    Environment environment = Environment.ofProcess();
    routes = routes();
    tokenKey = new TokenKey(environment.get("TIERBENCH_TOKEN_KEY"), Clock.systemUTC());
    try {
      database = Database.open(environment);
    } catch (SQLException e) {
      throw new ServletException("the database can't be reached", e);
    }
  }

  @Override
  public void destroy() {
    database.close();
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    try {
      Route route = route(request, response);
      if (route.isSecure() && !request.isSecure()) {
        leadToTls(request, response);
        return;
      }
      checkMethod(request, response, route);
      if (route instanceof Route.Dynamic page) {
        send(response, 200, answer(request, page));
      } else {
        getServletContext().getNamedDispatcher("default").forward(request, response);
      }
    } catch (Fault fault) {
      send(response, fault.status(), refusal(fault));
    } catch (SQLException | RuntimeException error) {
      LOG.log(Level.SEVERE, "a request failed", error);
      Fault fault = Fault.internal();
      send(response, fault.status(), refusal(fault));
    }
  }

  private Route route(HttpServletRequest request, HttpServletResponse response) {
    if (request.getDispatcherType() == DispatcherType.ERROR) {
      throw Fault.ofServer(response.getStatus());
    }
    String path = request.getServletPath();
    Route route = routes.get(path);
    if (route == null && isMadeFile(path)) {
      route = Route.file();
    }
    if (route == null) {
      throw Fault.unknownPage();
    }
    return route;
  }

  private static void checkMethod(
      HttpServletRequest request, HttpServletResponse response, Route route) {
    if (!route.method().equals(request.getMethod())) {
      response.setHeader("Allow", route.method());
      throw Fault.wrongMethod(route.method());
    }
  }

  /** Where a web server is in front of us, it does this, and in the clear there is no such page. */
  private void leadToTls(HttpServletRequest request, HttpServletResponse response) {
    String port = getServletContext().getInitParameter(TLS_PORT);
    if (port == null || port.isBlank()) {
      throw Fault.unknownPage();
    }
    String query = request.getQueryString();
    String target = request.getServletPath() + (query == null ? "" : '?' + query);
    response.setStatus(PERMANENT_REDIRECT);
    response.setHeader(
        "Location", "https://%s:%s%s".formatted(request.getServerName(), port, target));
  }

  private JteModel answer(HttpServletRequest request, Route.Dynamic route) throws SQLException {
    Form form = new Form(request);
    try (Session session = database.session()) {
      return route.interaction().answer(new Visit(form, session, tokenKey));
    }
  }

  private static void send(HttpServletResponse response, int status, JteModel page)
      throws IOException {
    Utf8ByteOutput html = new Utf8ByteOutput();
    page.render(html);
    response.setStatus(status);
    response.setContentType("text/html;charset=utf-8");
    response.setContentLength(html.getContentLength());
    html.writeTo(response.getOutputStream());
  }
}
