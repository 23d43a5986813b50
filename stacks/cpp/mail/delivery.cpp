#include "mail/delivery.hpp"

#include <libetpan/libetpan.h>

#include <memory>
#include <stdexcept>

namespace mail {

namespace {

void expect(int result, const char* what) {
    if (result != MAILSMTP_NO_ERROR) {
        throw std::runtime_error(std::string("the SMTP server, ") + what + ": " + mailsmtp_strerror(result));
    }
}

}  // namespace

void deliver(const Settings& settings, const std::string& from, const std::string& to,
             const std::string& source) {
    const std::unique_ptr<mailsmtp, decltype(&mailsmtp_free)> held{mailsmtp_new(0, nullptr), mailsmtp_free};
    mailsmtp* const session = held.get();
    expect(mailsmtp_socket_connect(session, settings.smtp.host.c_str(), settings.smtp.port), "connecting");
    expect(mailesmtp_ehlo(session), "greeting");
    expect(mailsmtp_mail(session, from.c_str()), "naming the sender");
    expect(mailsmtp_rcpt(session, to.c_str()), "naming the recipient");
    expect(mailsmtp_data(session), "announcing the message");
    expect(mailsmtp_data_message(session, source.data(), source.size()), "sending the message");
    mailsmtp_quit(session);
}

}  // namespace mail
