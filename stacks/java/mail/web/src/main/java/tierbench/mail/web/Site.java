package tierbench.mail.web;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletRegistration;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import tierbench.common.Environment;
import tierbench.mail.back.Functions;
import tierbench.mail.back.Servers;
import tierbench.mail.back.SessionKey;
import tierbench.mail.template.Templates;

/** Puts the site together when the servlet engine starts. */
public final class Site implements ServletContextListener {
  /** How a page's class is called that was compiled from JSP. */
  private static final String COMPILED = "tierbench.mail.jsp.%s_jsp";

  private Servers servers;

  @Override
  public void contextInitialized(ServletContextEvent event) {
    ServletContext context = event.getServletContext();
    Environment environment = Environment.ofProcess();
    Clock clock = Clock.systemUTC();
    boolean isTuned = environment.get("TIERBENCH_FACTOR_TUNING").equals("tuned");
    int kept = Integer.parseInt(environment.get("TIERBENCH_FACTOR_KEPT"));
    Duration idle = Duration.ofSeconds(Long.parseLong(environment.get("TIERBENCH_FACTOR_IDLE")));
    servers = new Servers(environment, isTuned ? kept : 0, idle, clock);
    SessionKey key = new SessionKey(environment.get("TIERBENCH_TOKEN_KEY"), clock);
    Gate gate = new Gate(key, new Functions(servers, clock), !isTuned);
    context
        .addFilter("gate", gate)
        .addMappingForUrlPatterns(
            EnumSet.of(DispatcherType.REQUEST, DispatcherType.ERROR),
            /* isMatchAfter= */ false,
            "/*");
    boolean areCompiled = environment.get("TIERBENCH_FACTOR_PAGES").equals("jsp");
    Templates templates =
        new Templates(Path.of(context.getRealPath("/WEB-INF/templates")), isTuned);
    for (Route route : Route.pages()) {
      Servlet servlet =
          route.kind() == Route.Kind.FILE
              ? new FileServlet(route.path() + ".html")
              : new TemplateServlet(route.page(), templates);
      add(context, route.page(), areCompiled, servlet).addMapping(route.path());
    }
    add(context, Gate.ERROR, areCompiled, new TemplateServlet(Gate.ERROR, templates));
  }

  /** A page as it was compiled, or as a servlet makes it. */
  private static ServletRegistration.Dynamic add(
      ServletContext context, String page, boolean isCompiled, Servlet servlet) {
    if (!isCompiled) {
      return context.addServlet(page, servlet);
    }
    ServletRegistration.Dynamic added =
        context.addServlet(page, COMPILED.formatted(page.replace('/', '.')));
    // A page that can't be loaded is none.
    added.setLoadOnStartup(1);
    return added;
  }

  @Override
  public void contextDestroyed(ServletContextEvent event) {
    if (servers != null) {
      servers.close();
    }
  }
}
