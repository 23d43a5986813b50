package tierbench.mail.back;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.mail.Session;
import jakarta.mail.internet.MimeMessage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class LettersTest {
  private static final Session SESSION = Session.getInstance(new Properties());
  private static final Instant DATE = Instant.ofEpochSecond(1_700_000_000);

  private static Letter letter(String subject, String text) {
    return new Letter("ada@mail.test", "bob@mail.test", subject, DATE, text, List.of());
  }

  private static String source(Letter letter) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Letters.write(SESSION, letter).writeTo(bytes);
    return bytes.toString(ISO_8859_1);
  }

  private static Letter read(String source) throws Exception {
    byte[] bytes = source.getBytes(ISO_8859_1);
    return Letters.read(new MimeMessage(SESSION, new ByteArrayInputStream(bytes)));
  }

  @Test
  void whatIsWrittenIsReadAsItWas() throws Exception {
    for (String subject :
        List.of("News", "a  b", "=?utf-8?B?eA==?=", "\"<b>\" &amp; \\", "Łukasz \"😀\" \\", ":")) {
      Letter written = letter(subject, "One\r\n.\r\ntwo é😀\ra\n\n");
      assertEquals(letter(subject, "One\n.\ntwo é😀\na"), read(source(written)));
    }
    String longest = "😀".repeat(100);
    assertEquals(longest, read(source(letter(longest, "x"))).subject());
  }

  @Test
  void whatIsWrittenIsShortLinesOfAscii() throws Exception {
    String source = source(letter("x".repeat(100) + " é", "y".repeat(20_000) + "é\rz"));
    for (String line : source.split("\r\n", -1)) {
      assertTrue(line.matches("[ -~]{0,78}"), line);
    }
    assertTrue(source.contains("@mail.test>\r\n"), source);
  }

  @Test
  void ofPartsTheFirstPlainTextIsShownAndAttachmentsAreNamed() throws Exception {
    Letter letter =
        read(
            """
            From: Zoe <zoe@mail.test>\r
            To: bob@mail.test\r
            Subject: =?ISO-8859-1?Q?Gr=F6=DFe?=\r
            Date: Wed, 15 Nov 2023 00:13:20 +0200\r
            MIME-Version: 1.0\r
            Content-Type: multipart/mixed; boundary="b"\r
            \r
            --b\r
            Content-Type: text/html; charset=utf-8\r
            \r
            <p>HTML</p>\r
            --b\r
            Content-Type: text/plain; charset=ISO-8859-1\r
            Content-Transfer-Encoding: quoted-printable\r
            \r
            Gr=F6=DFer\r
            --b\r
            Content-Disposition: attachment; filename*=UTF-8''%C3%9Cber.txt\r
            Content-Type: text/plain\r
            Content-Transfer-Encoding: base64\r
            \r
            YWJj\r
            --b--\r
            """);
    assertEquals("zoe@mail.test", letter.sender());
    assertEquals("Größe", letter.subject());
    assertEquals(Instant.parse("2023-11-14T22:13:20Z"), letter.date());
    assertEquals("Größer", letter.text());
    assertEquals(List.of("Über.txt (text/plain, 3 bytes)"), letter.attachments());
  }

  @Test
  void htmlAloneIsShownAsItsSourceAndUnknownCharsetsAsUtf8() throws Exception {
    String head = "Content-Type: text/html; charset=";
    assertEquals("<script>x</script>", read(head + "utf-8\r\n\r\n<script>x</script>\r\n").text());
    assertEquals("x", read(head + "x-nobody-knows\r\n\r\nx\r\n").text());
  }
}
