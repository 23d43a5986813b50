package tierbench.mail.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import tierbench.mail.template.Interpreter;
import tierbench.mail.template.Material;
import tierbench.mail.template.Templates;

/** Interprets the template of a page. */
final class TemplateServlet extends HttpServlet {
  @Serial private static final long serialVersionUID = 1;

  private final String page;
  private final transient Templates templates;

  TemplateServlet(String page, Templates templates) {
    this.page = page;
    this.templates = templates;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Material material = (Material) request.getAttribute(Material.ATTRIBUTE);
    byte[] html = Interpreter.page(page, templates, material).getBytes(UTF_8);
    response.setContentType("text/html;charset=utf-8");
    response.setContentLength(html.length);
    response.getOutputStream().write(html);
  }
}
