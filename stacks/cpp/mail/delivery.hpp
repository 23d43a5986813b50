/// Sending, over SMTP.
#pragma once

#include <string>

#include "mail/settings.hpp"

namespace mail {

/// Hands a message over. It is delivered when this returns.
void deliver(const Settings& settings, const std::string& from, const std::string& to,
             const std::string& source);

}  // namespace mail
