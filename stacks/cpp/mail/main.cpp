#include <csignal>
#include <vmime/platforms/posix/posixHandler.hpp>
#include <vmime/vmime.hpp>

#include "mail/gateway.hpp"
#include "mail/pages.hpp"
#include "mail/places.hpp"

int main() {
    // A server that hangs up is an error of the request.
    std::signal(SIGPIPE, SIG_IGN);
    vmime::platform::setHandler<vmime::platforms::posix::posixHandler>();
    const mail::Settings settings;
    const mail::Places places;
    mail::serve([&](const mail::Request& request) { return mail::respond(request, settings, places); });
}
