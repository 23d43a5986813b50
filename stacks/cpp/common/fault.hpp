/// Why a request is refused. A refused request has changed nothing.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace common {

/// Its `what()` is the text of the error page.
class Fault : public std::runtime_error {
  public:
    static Fault unknown_page() { return {404, "There is no such page."}; }

    static Fault wrong_method(std::string_view right) {
        Fault fault{405, "This page is for " + std::string(right) + " requests only."};
        fault.allowed_method_ = right;
        return fault;
    }

    static Fault body_too_long() { return {413, "The request's body is too long."}; }

    static Fault parameter(std::string_view name) {
        return {400, "The parameter " + std::string(name) + " is missing, repeated or malformed."};
    }

    /// For everything that is our fault. What it was is in the log, and none of the visitor's business.
    static Fault internal() { return {500, "Something went wrong here. Please try again later."}; }

    int status() const noexcept { return status_; }

    /// The method that the page is for, if another one is what is wrong; otherwise empty.
    const std::string& allowed_method() const noexcept { return allowed_method_; }

    /// Title and heading of the error page.
    std::string_view heading() const noexcept {
        switch (status_) {
            case 400:
                return "Bad request";
            case 404:
                return "Not found";
            case 405:
                return "Wrong method";
            case 413:
                return "Too long";
            default:
                return "Internal error";
        }
    }

  private:
    Fault(int status, const std::string& message) : std::runtime_error(message), status_(status) {}

    int status_;
    std::string allowed_method_;
};

}  // namespace common
