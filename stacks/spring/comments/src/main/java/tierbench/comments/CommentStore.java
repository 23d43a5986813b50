package tierbench.comments;

import java.util.List;

/** Where the comments are kept. */
public interface CommentStore {
  /** All comments, the oldest first. */
  List<Comment> all();

  /** Keeps a comment and returns it with its id. */
  Comment store(String name, String email, String comment);
}
