/// The pages of the web mail: which parameters each takes, and what its template can ask for.
#pragma once

#include <string>

#include "mail/gateway.hpp"
#include "mail/settings.hpp"

namespace mail {

/// Answers a request with the page that a template makes. `templates` is their folder.
Response respond(const Request& request, const Settings& settings, const std::string& templates);

}  // namespace mail
