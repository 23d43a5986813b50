package tierbench.auction;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication(scanBasePackages = "tierbench")
public class AuctionApplication {
  public static void main(String[] arguments) {
    SpringApplication.run(AuctionApplication.class, arguments);
  }
}
