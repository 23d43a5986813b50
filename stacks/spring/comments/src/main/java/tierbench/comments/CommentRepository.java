package tierbench.comments;

import java.util.List;
import org.springframework.context.annotation.Profile;
import org.springframework.data.jpa.repository.JpaRepository;

@Profile("jpa")
interface CommentRepository extends JpaRepository<Comment, Integer> {
  List<Comment> findAllByOrderById();
}
