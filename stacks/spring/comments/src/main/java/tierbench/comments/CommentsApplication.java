package tierbench.comments;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication(scanBasePackages = "tierbench")
public class CommentsApplication {
  public static void main(String[] arguments) {
    SpringApplication.run(CommentsApplication.class, arguments);
  }
}
