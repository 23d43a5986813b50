/// Where the services are, and the key of the run, from the environment that this program was started with.
/// FastCGI puts each request's own in its place.
#pragma once

#include <cstdint>
#include <string>

#include "common/environment.hpp"

namespace mail {

/// Where a service listens.
struct Address {
    std::string host;
    std::uint16_t port;

    explicit Address(const std::string& service)
        : host(common::environment(("TIERBENCH_" + service + "_HOST").c_str())),
          port(static_cast<std::uint16_t>(
              std::stoi(common::environment(("TIERBENCH_" + service + "_PORT").c_str())))) {}
};

struct Settings {
    Address imap{"IMAP"};
    Address smtp{"SMTP"};
    Address ldap{"LDAP"};
    /// Below which entry of the directory people are.
    std::string people = common::environment("TIERBENCH_LDAP_BASE");
    std::string key = common::environment("TIERBENCH_TOKEN_KEY");
};

/// Where all mailboxes are.
inline constexpr const char* domain = "mail.test";

}  // namespace mail
