package tierbench.bookstore.payment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import tierbench.common.Fault;

class PaymentGatewayTest {
  private static void declines(int status, String body) {
    Fault fault = assertThrows(Fault.class, () -> PaymentGateway.authorization(status, body), body);
    assertEquals(409, fault.status());
  }

  @Test
  void theBankSaysWhatItDoes() {
    String approved = "{\"result\":\"approved\",\"authorization\":\"457950CD4BE825F\"}";
    assertEquals("457950CD4BE825F", PaymentGateway.authorization(200, approved));
    declines(200, "{\"result\":\"declined\"}");
    declines(409, "{\"result\":\"malformed\"}");
  }

  @Test
  void anAnswerThatIsNoneOrdersNothing() {
    for (String wrong : new String[] {"", "[]", "{}", "{\"result\":1}", "{\"result\":\"ok\"}"}) {
      assertThrows(
          IllegalStateException.class, () -> PaymentGateway.authorization(200, wrong), wrong);
    }
  }
}
