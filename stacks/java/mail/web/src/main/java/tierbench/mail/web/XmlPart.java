package tierbench.mail.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.StringReader;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.XMLStreamWriter;
import tierbench.mail.template.Value;

/**
 * A part that is asked, and answers, in XML, as the study's servlets first did: the call is written
 * and read, and so is what it gives.
 */
final class XmlPart implements Visit.Part {
  private static final String CALL = "call";
  private static final String ARGUMENT = "argument";
  private static final String VALUE = "value";
  private static final String ITEM = "item";
  private static final String FIELD = "field";
  private static final String NAME = "name";

  /** Says how a text is written that XML can't hold as it is. */
  private static final String ENCODING = "encoding";

  private static final String BASE64 = "base64";

  private final Visit.Part answering;

  XmlPart(Visit.Part answering) {
    this.answering = answering;
  }

  @Override
  public Value call(String function, List<String> arguments) {
    try {
      return readAnswer(answer(question(function, arguments)));
    } catch (XMLStreamException e) {
      throw new IllegalStateException("parts of this site don't understand each other", e);
    }
  }

  /** What is written in between. */
  private interface Body {
    void write(XMLStreamWriter xml) throws XMLStreamException;
  }

  private static String document(Body body) throws XMLStreamException {
    StringWriter text = new StringWriter();
    XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(text);
    xml.writeStartDocument();
    body.write(xml);
    xml.writeEndDocument();
    xml.close();
    return text.toString();
  }

  private static String question(String function, List<String> arguments)
      throws XMLStreamException {
    return document(
        xml -> {
          xml.writeStartElement(CALL);
          xml.writeAttribute(NAME, function);
          for (String argument : arguments) {
            xml.writeStartElement(ARGUMENT);
            writeText(xml, argument);
            xml.writeEndElement();
          }
          xml.writeEndElement();
        });
  }

  private String answer(String question) throws XMLStreamException {
    XMLStreamReader xml = reader(question);
    String function = xml.getAttributeValue(null, NAME);
    List<String> arguments = new ArrayList<>();
    while (xml.nextTag() == XMLStreamReader.START_ELEMENT) {
      arguments.add(readText(xml));
    }
    Value value = answering.call(function, arguments);
    return document(out -> write(out, VALUE, "", value));
  }

  private static Value readAnswer(String answer) throws XMLStreamException {
    return readValue(reader(answer));
  }

  /** At the first element. */
  private static XMLStreamReader reader(String document) throws XMLStreamException {
    XMLInputFactory factory = XMLInputFactory.newFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
    XMLStreamReader xml = factory.createXMLStreamReader(new StringReader(document));
    xml.nextTag();
    return xml;
  }

  private static void write(XMLStreamWriter xml, String element, String name, Value value)
      throws XMLStreamException {
    xml.writeStartElement(element);
    if (!name.isEmpty()) {
      xml.writeAttribute(NAME, name);
    }
    xml.writeStartElement(ARGUMENT);
    writeText(xml, value.text());
    xml.writeEndElement();
    for (Value item : value.items()) {
      write(xml, ITEM, "", item);
    }
    for (Map.Entry<String, Value> field : value.fields().entrySet()) {
      write(xml, FIELD, field.getKey(), field.getValue());
    }
    xml.writeEndElement();
  }

  /** From the beginning of its element to the end. */
  private static Value readValue(XMLStreamReader xml) throws XMLStreamException {
    xml.nextTag();
    String text = readText(xml);
    List<Value> items = new ArrayList<>();
    Map<String, Value> fields = new HashMap<>();
    while (xml.nextTag() == XMLStreamReader.START_ELEMENT) {
      String name = xml.getAttributeValue(null, NAME);
      Value value = readValue(xml);
      if (name == null) {
        items.add(value);
      } else {
        fields.put(name, value);
      }
    }
    return new Value(text, items, fields);
  }

  private static void writeText(XMLStreamWriter xml, String text) throws XMLStreamException {
    if (text.codePoints().allMatch(XmlPart::survives)) {
      xml.writeCharacters(text);
    } else {
      xml.writeAttribute(ENCODING, BASE64);
      xml.writeCharacters(Base64.getEncoder().encodeToString(text.getBytes(UTF_8)));
    }
  }

  private static String readText(XMLStreamReader xml) throws XMLStreamException {
    boolean isEncoded = BASE64.equals(xml.getAttributeValue(null, ENCODING));
    String text = xml.getElementText();
    return isEncoded ? new String(Base64.getDecoder().decode(text), UTF_8) : text;
  }

  /** What XML 1.0 allows, without the carriage return, which its readers take for a line feed. */
  private static boolean survives(int letter) {
    return letter == '\n'
        || letter == '\t'
        || (letter >= 0x20 && letter < 0xd800)
        || (letter >= 0xe000 && letter < 0xfffe)
        || letter >= 0x10000;
  }
}
