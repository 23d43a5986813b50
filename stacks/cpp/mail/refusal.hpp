/// Why a request is refused, beside what is wrong with requests of any application.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace mail {

/// Its `what()` is the text of the error page.
class Refusal : public std::runtime_error {
  public:
    static Refusal not_logged_in() { return {403, "You are not logged in."}; }
    static Refusal wrong_password() { return {403, "The nickname or the password is wrong."}; }
    static Refusal no_message() { return {404, "There is no such message."}; }
    static Refusal no_recipient() { return {404, "There is nobody of that name."}; }

    int status() const noexcept { return status_; }

  private:
    Refusal(int status, const std::string& message) : std::runtime_error(message), status_(status) {}

    int status_;
};

/// Title and heading of an error page with this status.
inline std::string_view heading(int status) {
    switch (status) {
        case 400:
            return "Bad request";
        case 403:
            return "Access denied";
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

}  // namespace mail
