#include "common/site.hpp"

#include <algorithm>
#include <exception>

namespace common {

namespace {

constexpr std::size_t longest_body = std::size_t{2} * 1024 * 1024;

std::string read_body(const Request& request) {
    std::string body = request.read_body(longest_body + 1);
    if (body.size() > longest_body) {
        throw Fault::body_too_long();
    }
    return body;
}

Page error_page(const Fault& fault) {
    Page page{fault.heading(), {}};
    page.content << "<h1>"_html << fault.heading() << "</h1>\n<p>"_html << fault.what() << "</p>\n"_html;
    return page;
}

}  // namespace

Response Site::respond(const Request& request) const {
    try {
        return {200, layout_(page(request)).source(), {}, {}};
    } catch (const Fault& fault) {
        return refuse(fault);
    } catch (const std::exception& error) {
        Response response = refuse(Fault::internal());
        response.complaint = error.what();
        return response;
    }
}

Page Site::page(const Request& request) const {
    const std::string_view target = request.target;
    const std::string_view path = target.substr(0, target.find('?'));
    const auto route =
        std::find_if(routes_.begin(), routes_.end(), [&](const Route& known) { return known.path == path; });
    if (route == routes_.end()) {
        throw Fault::unknown_page();
    }
    if (route->method != request.method) {
        throw Fault::wrong_method(route->method);
    }
    const std::string_view query = target.substr(std::min(path.size() + 1, target.size()));
    const Form form = request.method == "POST" ? Form::decode(read_body(request)) : Form::decode(query);
    return route->answer(form, *database_);
}

Response Site::refuse(const Fault& fault) const {
    return {fault.status(), layout_(error_page(fault)).source(), fault.allowed_method(), {}};
}

}  // namespace common
