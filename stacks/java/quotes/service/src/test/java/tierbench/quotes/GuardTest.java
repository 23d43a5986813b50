package tierbench.quotes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import org.junit.jupiter.api.Test;

final class GuardTest {
  private static Guard guard(String message) throws XMLStreamException {
    XMLInputFactory parsers = XMLInputFactory.newFactory();
    parsers.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
    return new Guard(parsers.createXMLStreamReader(new StringReader(message)));
  }

  @Test
  void aMessageIsXmlToItsEndWhereverItsReaderStopped() throws XMLStreamException {
    Guard guard = guard("<?xml version='1.0'?>\n<a><b>&lt;</b></a>\n");
    guard.next();
    assertEquals("a", guard.getLocalName());
    assertTrue(guard.isXmlToEnd());
  }

  @Test
  void whatFollowsTheOperationMustBeXmlToo() throws XMLStreamException {
    for (String message : List.of("<a/>x", "<a/><b/>", "<a><b></a>", "<a>", "<a/>&amp;")) {
      Guard guard = guard(message);
      guard.next();
      assertFalse(guard.isXmlToEnd(), message);
    }
  }

  @Test
  void documentTypesAndEntitiesAreRefusedForGood() throws XMLStreamException {
    Guard typed = guard("<!DOCTYPE a><a/>");
    assertThrows(XMLStreamException.class, typed::next);
    assertFalse(typed.isXmlToEnd());
    Guard outside = guard("<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><a>&e;</a>");
    assertThrows(XMLStreamException.class, outside::next);
    assertFalse(outside.isXmlToEnd());
  }
}
