package tierbench.common;

import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.FileSystemAccess;
import io.vertx.ext.web.handler.StaticHandler;
import jakarta.enterprise.event.Observes;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Serves the application's files from a folder, which is not packaged with the program. */
class StaticFiles {
  void install(@Observes Router router, @ConfigProperty(name = "static.folder") String folder) {
    router
        .routeWithRegex("/[a-z]+/[a-z_]+\\.(css|html|svg)")
        .handler(StaticFiles::nameCharset)
        .handler(StaticHandler.create(FileSystemAccess.ROOT, folder));
  }

  /** Vert.x says which encoding a text has, but not so for a picture. */
  private static void nameCharset(RoutingContext request) {
    request.addHeadersEndHandler(
        ready -> {
          var headers = request.response().headers();
          String type = headers.get(HttpHeaders.CONTENT_TYPE);
          if ("image/svg+xml".equals(type)) {
            headers.set(HttpHeaders.CONTENT_TYPE, type + "; charset=utf-8");
          }
        });
    request.next();
  }
}
