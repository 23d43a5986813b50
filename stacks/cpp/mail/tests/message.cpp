#include "mail/message.hpp"

#include <doctest/doctest.h>

namespace {

mail::Message sent(const std::string& subject, const std::string& text) {
    return {"ada@mail.test", "bob@mail.test", subject, 1'700'000'000, text, {}};
}

}  // namespace

TEST_CASE("what is composed is read as it was") {
    for (const char* subject :
         {"News", "a  b", "=?utf-8?B?eA==?=", "\"<b>\" &amp; \\", "Łukasz \"😀\" \\", ":"}) {
        const mail::Message message = mail::parse(mail::compose(sent(subject, "One\r\n.\r\ntwo é😀")));
        CHECK(message.subject == subject);
        CHECK(message.sender == "ada@mail.test");
        CHECK(message.recipient == "bob@mail.test");
        CHECK(message.date == 1'700'000'000);
        CHECK(message.text == "One\n.\ntwo é😀");
        CHECK(message.attachments.empty());
    }
}

TEST_CASE("a composed message is short lines of ASCII, and has no headers but its own") {
    const std::string source = mail::compose(sent(std::string(100, 'x') + " é", std::string(20'000, 'y')));
    std::size_t begin = 0;
    while (begin < source.size()) {
        const std::size_t end = source.find("\r\n", begin);
        REQUIRE(end != std::string::npos);
        CHECK(end - begin <= 78);
        begin = end + 2;
    }
    for (const char letter : source) {
        REQUIRE(static_cast<unsigned char>(letter) < 128);
    }
}

TEST_CASE("of parts the first plain text is shown, attachments are named") {
    const mail::Message message = mail::parse(
        "From: Zoe <zoe@mail.test>\r\nTo: bob@mail.test\r\nSubject: =?ISO-8859-1?Q?Gr=F6=DFe?=\r\n"
        "Date: Wed, 15 Nov 2023 00:13:20 +0200\r\nMIME-Version: 1.0\r\n"
        "Content-Type: multipart/mixed; boundary=\"b\"\r\n\r\n--b\r\n"
        "Content-Type: text/html; charset=utf-8\r\n\r\n<p>HTML</p>\r\n--b\r\n"
        "Content-Type: text/plain; charset=ISO-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
        "Gr=F6=DFer\r\n--b\r\nContent-Disposition: attachment; filename*=UTF-8''%C3%9Cber.txt\r\n"
        "Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\nYWJj\r\n--b--\r\n");
    CHECK(message.sender == "zoe@mail.test");
    CHECK(message.subject == "Größe");
    CHECK(message.date == 1'700'000'000);
    CHECK(message.text == "Größer");
    CHECK(message.attachments == std::vector<std::string>{"Über.txt (text/plain, 3 bytes)"});
}

TEST_CASE("HTML alone is shown as its source") {
    const mail::Message message =
        mail::parse("Content-Type: text/html; charset=utf-8\r\n\r\n<script>x</script>\r\n");
    CHECK(message.text == "<script>x</script>");
}
