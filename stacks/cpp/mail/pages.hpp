/// The pages of the web mail: which parameters each takes, and what its template can ask for.
#pragma once

#include <string>

#include "mail/gateway.hpp"
#include "mail/places.hpp"
#include "mail/settings.hpp"

namespace mail {

/// Answers a request with the page that a template makes. `places` says where these are.
Response respond(const Request& request, const Settings& settings, const Places& places);

}  // namespace mail
