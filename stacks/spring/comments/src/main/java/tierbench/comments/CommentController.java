package tierbench.comments;

import jakarta.validation.constraints.Pattern;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import tierbench.common.Text;

@Controller
@RequestMapping("/comments")
class CommentController {
  private final CommentStore comments;

  CommentController(CommentStore comments) {
    this.comments = comments;
  }

  @GetMapping("/ListComments")
  String listComments(Model model) {
    model.addAttribute("comments", comments.all());
    return "list_comments";
  }

  // None is required for Spring: the first that is missing or breaks another rule is named.
  @PostMapping(path = "/StoreComment", consumes = MediaType.APPLICATION_FORM_URLENCODED_VALUE)
  String storeComment(
      @Text(max = 50) String name,
      @Text(max = 80) @Pattern(regexp = "(?s).*@.*") String email,
      @Text(max = 2048) String comment,
      Model model) {
    model.addAttribute("comment", comments.store(name, email, comment));
    return "store_comment";
  }
}
