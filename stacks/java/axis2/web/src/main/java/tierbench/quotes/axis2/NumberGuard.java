package tierbench.quotes.axis2;

import java.util.Set;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamReader;
import tierbench.quotes.Guard;
import tierbench.quotes.Refused;

/**
 * A message in which there is a number where one should be: ADB takes digits of any script and what
 * Java calls a number, and no text for the least int.
 */
final class NumberGuard extends Guard {
  private static final Set<String> NUMBERS = Set.of("varInt", "varFloat");
  private static final String IN_NUMBERS = "0123456789+-.eE \t\r\n";

  private boolean isInNumber;
  private boolean hasDigits;

  NumberGuard(XMLStreamReader reader) {
    super(reader);
  }

  @Override
  protected void look(int event) {
    if (event == XMLStreamConstants.START_ELEMENT) {
      isInNumber = NUMBERS.contains(getLocalName());
      hasDigits = false;
    } else if (event == XMLStreamConstants.END_ELEMENT) {
      expect(!isInNumber || hasDigits);
      isInNumber = false;
    } else if (isInNumber && isCharacters()) {
      expect(getText().chars().allMatch(letter -> IN_NUMBERS.indexOf(letter) >= 0));
      hasDigits = true;
    }
  }

  private static void expect(boolean isNumber) {
    if (!isNumber) {
      throw new Refused("a number is none");
    }
  }
}
