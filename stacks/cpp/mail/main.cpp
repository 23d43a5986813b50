#include <csignal>
#include <filesystem>
#include <vmime/platforms/posix/posixHandler.hpp>
#include <vmime/vmime.hpp>

#include "mail/gateway.hpp"
#include "mail/pages.hpp"

int main() {
    // A server that hangs up is an error of the request.
    std::signal(SIGPIPE, SIG_IGN);
    vmime::platform::setHandler<vmime::platforms::posix::posixHandler>();
    const mail::Settings settings;
    // This program is build/mail/bin/mail.
    const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    const std::string templates = (folder / "../templates").string();
    mail::serve([&](const mail::Request& request) { return mail::respond(request, settings, templates); });
}
