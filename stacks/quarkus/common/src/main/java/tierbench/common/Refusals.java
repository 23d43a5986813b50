package tierbench.common;

import static java.util.Comparator.comparingInt;

import io.quarkus.qute.Location;
import io.quarkus.qute.Template;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.ElementKind;
import jakarta.validation.Path;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.stream.StreamSupport;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** The error page of refusals. All other errors are left to Quarkus. */
class Refusals {
  private final Template page;

  Refusals(@Location("error.html") Template page) {
    this.page = page;
  }

  /** The first parameter that breaks a rule is named. */
  @ServerExceptionMapper
  Response wrongParameter(ConstraintViolationException wrong) {
    return wrong.getConstraintViolations().stream()
        .map(Refusals::parameter)
        .min(comparingInt(Path.ParameterNode::getParameterIndex))
        .map(parameter -> refused(Refusal.parameter(parameter.getName())))
        .orElseThrow();
  }

  @ServerExceptionMapper
  Response refused(Refusal refusal) {
    return Response.status(refusal.getStatus())
        .type(MediaType.TEXT_HTML_TYPE.withCharset("utf-8"))
        .entity(page.data("refusal", refusal).render())
        .build();
  }

  /** A form whose escapes can't be decoded. Quarkus would take it for a failure of its own. */
  @ServerExceptionMapper
  Response broken(IllegalArgumentException wrong) {
    return Response.status(Response.Status.BAD_REQUEST).build();
  }

  private static Path.ParameterNode parameter(ConstraintViolation<?> violation) {
    return StreamSupport.stream(violation.getPropertyPath().spliterator(), false)
        .filter(node -> node.getKind() == ElementKind.PARAMETER)
        .map(node -> node.as(Path.ParameterNode.class))
        .findFirst()
        .orElseThrow();
  }
}
