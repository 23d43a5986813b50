import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Answers every request with one page. The database is named in the environment, in TIERBENCH_DB_*. */
@WebServlet("/")
public final class Front extends HttpServlet {
  private static final long serialVersionUID = 1;

  private static final String PAGE =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head><meta charset="utf-8"><title>__STACK__</title></head>
      <body><h1>__STACK__ answers</h1></body>
      </html>
      """;

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
    response.setContentType("text/html; charset=utf-8");
    response.getWriter().write(PAGE);
  }
}
