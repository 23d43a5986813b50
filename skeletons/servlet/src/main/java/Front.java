import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.IOException;

/** Answers with one page whatever is not a file. Tomcat sends the files. */
@WebServlet("/")
public final class Front extends HttpServlet {
  private static final long serialVersionUID = 1;

  private static final String PAGE =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head><meta charset="utf-8"><title>__STACK__</title></head>
      <body><h1>__STACK__ answers</h1><p>The data are in %s at %s:%s, database %s.</p></body>
      </html>
      """;

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    if ("GET".equals(request.getMethod()) && isFile(request)) {
      getServletContext().getNamedDispatcher("default").forward(request, response);
      return;
    }
    response.setContentType("text/html; charset=utf-8");
    response.getWriter().write(PAGE.formatted(database("SERVICE"), database("HOST"), database("PORT"), database("NAME")));
  }

  private boolean isFile(HttpServletRequest request) {
    String file = getServletContext().getRealPath(request.getServletPath());
    return file != null && new File(file).isFile();
  }

  /** Where the data are: SERVICE, HOST, PORT, NAME, USER or PASSWORD. The code does not connect to the database yet. */
  private static String database(String name) {
    return System.getenv("TIERBENCH_DB_" + name);
  }
}
