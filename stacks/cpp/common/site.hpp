/// From a request to the page that answers it, whatever web server both go through.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "common/database.hpp"
#include "common/fault.hpp"
#include "common/form.hpp"
#include "common/html.hpp"

namespace common {

/// A request as far as it has been read.
struct Request {
    std::string method;
    /// Path and query, as sent.
    std::string target;
    /// Reads the body, or its begin: so many bytes at most.
    std::function<std::string(std::size_t)> read_body;
};

/// An HTML page and how it is sent.
struct Response {
    int status = 200;
    std::string html;
    /// The method that the address is for, where it was asked for by another one; otherwise empty.
    std::string allowed_method;
    /// What the log is to say; otherwise empty.
    std::string complaint;
};

/// What an interaction shows.
struct Page {
    std::string_view title;
    Html content;
};

/// One thing that a user does and that yields a page. Throws a `Fault` if the request is refused.
using Interaction = Page(const Form&, Database&);

/// How a path is to be asked for, and by what it is answered.
struct Route {
    std::string_view path;
    std::string_view method;
    Interaction* answer;
};

/// The pages of an application.
class Site {
  public:
    /// `layout` puts a page into what all pages have.
    Site(std::vector<Route> routes, Html (*layout)(const Page&), Database& database)
        : routes_(std::move(routes)), layout_(layout), database_(&database) {}

    Response respond(const Request& request) const;

  private:
    Page page(const Request& request) const;
    Response refuse(const Fault& fault) const;

    std::vector<Route> routes_;
    Html (*layout_)(const Page&);
    Database* database_;
};

}  // namespace common
