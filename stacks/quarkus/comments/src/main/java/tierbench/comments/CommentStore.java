package tierbench.comments;

import java.util.List;

/** Keeps the comments. */
interface CommentStore {
  /** All comments, the oldest first. */
  List<Comment> all();

  /** Keeps a comment and returns it with its id. */
  Comment store(String name, String email, String comment);
}
