#include "mail/message.hpp"

#include <openssl/rand.h>

#include <array>
#include <cstdio>
#include <vmime/contentDispositionField.hpp>
#include <vmime/platforms/posix/posixHandler.hpp>
#include <vmime/vmime.hpp>

#include "mail/settings.hpp"

namespace mail {

namespace {

const vmime::charset utf8{vmime::charsets::UTF_8};

std::string decoded(const vmime::body& body) {
    std::string text;
    vmime::utility::outputStreamStringAdapter out(text);
    body.getContents()->extract(out);
    return text;
}

std::string in_utf8(const vmime::body& body) {
    std::string text;
    vmime::charset::convert(decoded(body), text, body.getCharset(), utf8);
    return text;
}

/// As pages show it: line feeds end lines, and none ends the text.
std::string plain(const std::string& text) {
    std::string shown;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '\r') {
            shown += text[at];
        } else if (at + 1 == text.size() || text[at + 1] != '\n') {
            shown += '\n';
        }
    }
    shown.erase(shown.find_last_not_of('\n') + 1);
    return shown;
}

/// What the parts of a message are, as far as they are shown.
struct Parts {
    const vmime::body* text = nullptr;
    const vmime::body* html = nullptr;
    std::vector<std::string> attachments{};

    void look(const vmime::bodyPart& part) {
        const vmime::body& body = *part.getBody();
        if (body.getPartCount() > 0) {
            for (std::size_t at = 0; at < body.getPartCount(); ++at) {
                look(*body.getPartAt(at));
            }
            return;
        }
        const vmime::mediaType kind = body.getContentType();
        const auto disposition =
            part.getHeader()->findField<vmime::contentDispositionField>(vmime::fields::CONTENT_DISPOSITION);
        if (disposition && disposition->getValue<vmime::contentDisposition>()->getName() ==
                               vmime::contentDispositionTypes::ATTACHMENT) {
            const std::string name = disposition->hasParameter("filename")
                                         ? disposition->getFilename().getConvertedText(utf8)
                                         : std::string{};
            attachments.push_back(name + " (" + kind.generate() + ", " +
                                  std::to_string(decoded(body).size()) + " bytes)");
        } else if (kind.getType() == "text" && kind.getSubType() == "plain" && text == nullptr) {
            text = &body;
        } else if (kind.getType() == "text" && kind.getSubType() == "html" && html == nullptr) {
            html = &body;
        }
    }
};

std::string first_address(const vmime::headerField& field) {
    if (const auto list = field.getValue<vmime::mailboxList>()) {
        return list->isEmpty() ? std::string{} : list->getMailboxAt(0)->getEmail().toString();
    }
    if (const auto list = field.getValue<vmime::addressList>()) {
        const auto mailboxes = list->toMailboxList();
        return mailboxes->isEmpty() ? std::string{} : mailboxes->getMailboxAt(0)->getEmail().toString();
    }
    const auto mailbox = field.getValue<vmime::mailbox>();
    return mailbox ? mailbox->getEmail().toString() : std::string{};
}

std::time_t seconds(const vmime::datetime& date) {
    std::tm parts{};
    parts.tm_year = date.getYear() - 1900;
    parts.tm_mon = date.getMonth() - 1;
    parts.tm_mday = date.getDay();
    parts.tm_hour = date.getHour();
    parts.tm_min = date.getMinute() - date.getZone();
    parts.tm_sec = date.getSecond();
    return timegm(&parts);
}

std::string encoded_subject(const std::string& subject) {
    std::string text;
    vmime::utility::outputStreamStringAdapter out(text);
    const vmime::text whole{vmime::word(subject, utf8)};
    whole.encodeAndFold(vmime::generationContext::getDefaultContext(), out, std::string("Subject: ").size(),
                        nullptr, vmime::text::FORCE_ENCODING);
    return text;
}

std::string base64(const std::string& text) {
    std::string encoded;
    vmime::utility::inputStreamStringAdapter in(text);
    vmime::utility::outputStreamStringAdapter out(encoded);
    const auto encoder = vmime::utility::encoder::encoderFactory::getInstance()->create("base64");
    encoder->getProperties()["maxLineLength"] = 76;
    encoder->encode(in, out);
    return encoded;
}

std::string rfc_5322(std::time_t instant) {
    std::array<char, 64> text{};
    std::tm parts{};
    gmtime_r(&instant, &parts);
    return {text.data(), std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S +0000", &parts)};
}

std::string message_id() {
    std::array<unsigned char, 16> random{};
    RAND_bytes(random.data(), static_cast<int>(random.size()));
    std::string id;
    for (const unsigned char byte : random) {
        std::array<char, 3> digits{};
        std::snprintf(digits.data(), digits.size(), "%02x", byte);
        id += digits.data();
    }
    return "<" + id + "@" + domain + ">";
}

}  // namespace

Message parse(const std::string& source) {
    vmime::message parsed;
    parsed.parse(source);
    const auto header = parsed.getHeader();
    Message message;
    if (header->hasField("From")) {
        message.sender = first_address(*header->findField("From"));
    }
    if (header->hasField("To")) {
        message.recipient = first_address(*header->findField("To"));
    }
    if (header->hasField("Subject")) {
        message.subject = header->findField("Subject")->getValue<vmime::text>()->getConvertedText(utf8);
    }
    if (header->hasField("Date")) {
        message.date = seconds(*header->findField("Date")->getValue<vmime::datetime>());
    }
    Parts parts;
    parts.look(parsed);
    if (parts.text != nullptr || parts.html != nullptr) {
        message.text = plain(in_utf8(parts.text != nullptr ? *parts.text : *parts.html));
    }
    message.attachments = std::move(parts.attachments);
    return message;
}

std::string compose(const Message& message) {
    return "From: " + message.sender + "\r\nTo: " + message.recipient +
           "\r\nSubject: " + encoded_subject(message.subject) + "\r\nDate: " + rfc_5322(message.date) +
           "\r\nMessage-ID: " + message_id() +
           "\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n"
           "Content-Transfer-Encoding: base64\r\n\r\n" +
           base64(message.text) + "\r\n";
}

}  // namespace mail
