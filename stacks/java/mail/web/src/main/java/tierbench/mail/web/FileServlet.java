package tierbench.mail.web;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.nio.file.Files;
import java.nio.file.Path;

/** Returns a file, and does nothing else: the study's trivial application. */
final class FileServlet extends HttpServlet {
  @Serial private static final long serialVersionUID = 1;

  private final String file;

  FileServlet(String file) {
    this.file = file;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    byte[] html = Files.readAllBytes(Path.of(getServletContext().getRealPath(file)));
    response.setContentType("text/html;charset=utf-8");
    response.setContentLength(html.length);
    response.getOutputStream().write(html);
  }
}
