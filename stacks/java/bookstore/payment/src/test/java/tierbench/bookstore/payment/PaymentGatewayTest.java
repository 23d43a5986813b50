package tierbench.bookstore.payment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import tierbench.common.Fault;

class PaymentGatewayTest {
  @Test
  void theBankSaysWhatItDoes() {
    String approved = "{\"result\":\"approved\",\"authorization\":\"457950CD4BE825F\"}";
    assertEquals("457950CD4BE825F", PaymentGateway.authorization(approved));
    String declined = "{\"result\":\"declined\"}";
    Fault fault = assertThrows(Fault.class, () -> PaymentGateway.authorization(declined));
    assertEquals(409, fault.status());
  }

  @Test
  void anAnswerThatIsNoneOrdersNothing() {
    for (String wrong : new String[] {"", "[]", "{}", "{\"result\":1}", "{\"result\":\"ok\"}"}) {
      assertThrows(IllegalStateException.class, () -> PaymentGateway.authorization(wrong), wrong);
    }
  }
}
