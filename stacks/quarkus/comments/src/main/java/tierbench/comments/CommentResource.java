package tierbench.comments;

import io.quarkus.qute.TemplateInstance;
import io.smallrye.common.annotation.Blocking;
import jakarta.validation.constraints.Pattern;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.jboss.resteasy.reactive.RestForm;
import tierbench.common.Text;

@Path("/comments")
@Produces(MediaType.TEXT_HTML)
@Blocking
class CommentResource {
  private final CommentStore comments;

  CommentResource(CommentStore comments) {
    this.comments = comments;
  }

  @GET
  @Path("ListComments")
  public TemplateInstance listComments() {
    return Pages.listComments(comments.all());
  }

  @POST
  @Path("StoreComment")
  @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
  public TemplateInstance storeComment(
      @RestForm @Text(max = 50) String name,
      @RestForm @Text(max = 80) @Pattern(regexp = "(?s).*@.*") String email,
      @RestForm @Text(max = 2048) String comment) {
    return Pages.storeComment(comments.store(name, email, comment));
  }
}
