/// The way between the web server and the pages. How this program is run decides which one it is: as CGI, it
/// is started for a request and ends with it; as FastCGI, it stays and answers one request after the other.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace mail {

/// A request as far as it has been read.
struct Request {
    std::string method;
    /// Path and query, as sent.
    std::string target;
    /// The value of the `Cookie` header.
    std::string cookies;
    /// Reads the body, or its begin: so many bytes at most.
    std::function<std::string(std::size_t)> read_body;
};

/// An HTML page and how it is sent.
struct Response {
    int status = 200;
    std::string html{};
    /// The value of a `Set-Cookie` header; otherwise empty.
    std::string cookie{};
    /// The method that the address is for, where it was asked for by another one; otherwise empty.
    std::string allowed_method{};
    /// What the log is to say; otherwise empty.
    std::string complaint{};
};

/// Answers requests until the web server, or whoever runs this program, sends no more.
void serve(const std::function<Response(const Request&)>& answer);

}  // namespace mail
