// The program of the trivial application alone, for CGI: started anew for each request, it shall load no
// libraries that it doesn't need.
#include <exception>
#include <string_view>
#include <utility>

#include "mail/files.hpp"
#include "mail/gateway.hpp"
#include "mail/places.hpp"

int main() {
    const mail::Places places;
    mail::serve([&](const mail::Request& request) -> mail::Response {
        const std::string_view target = request.target;
        try {
            if (auto page = mail::file_page(target.substr(0, target.find('?')), places.files)) {
                return {.status = 200, .html = std::move(*page)};
            }
            return {.status = 404};
        } catch (const std::exception& error) {
            return {.status = 500, .complaint = error.what()};
        }
    });
}
