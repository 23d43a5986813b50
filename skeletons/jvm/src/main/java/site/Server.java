package site;

import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.HtmlUtils;

/** Sends the application's files, and one page from the database for everything else. */
@SpringBootApplication
@RestController
public class Server {
  /** Both databases describe themselves so. */
  private static final String TABLES =
      """
      SELECT table_name FROM information_schema.tables
      WHERE table_schema NOT IN ('information_schema', 'performance_schema', 'pg_catalog') ORDER BY table_name
      """;

  private final JdbcClient database;

  Server(JdbcClient database) {
    this.database = database;
  }

  public static void main(String[] arguments) {
    SpringApplication.run(Server.class, arguments);
  }

  /** Files have names with a dot, and Spring sends them itself. */
  @RequestMapping(path = "/**/{name:[^.]+}", produces = "text/html;charset=utf-8")
  String page() {
    List<String> names = database.sql(TABLES).query(String.class).list();
    String items = names.stream().map(name -> "<li>" + HtmlUtils.htmlEscape(name) + "</li>").reduce("", String::concat);
    return """
        <!DOCTYPE html>
        <html lang="en">
        <head><meta charset="utf-8"><title>__STACK__</title></head>
        <body><h1>__STACK__ answers</h1><p>The database has these tables:</p><ul>%s</ul></body>
        </html>
        """
        .formatted(items);
  }
}
