/// The way between the web server and the site. How this program is run decides which one it is: as CGI, it
/// is started for a request and ends with it; as FastCGI, it stays and answers one request after the other.
#pragma once

#include "common/site.hpp"

namespace common {

/// Answers requests until the web server, or whoever runs this program, sends no more.
void serve(const Site& site);

}  // namespace common
