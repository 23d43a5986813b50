#include "mail/gateway.hpp"

#include <csignal>
#include <cstdlib>
#include <stdexcept>

// The last one: it puts its own streams in place of those of the standard library.
#include <fcgi_stdio.h>

namespace mail {

namespace {

/// So much of a body is read at once.
constexpr std::size_t piece = 16384;

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string{} : std::string{value};
}

/// Throws if the visitor has left before the body was sent as a whole: half of it is not what he meant.
std::string read_body(std::size_t most) {
    std::string body;
    std::size_t before = 0;
    do {
        before = body.size();
        body.resize(std::min(before + piece, most));
        body.resize(before + FCGI_fread(body.data() + before, 1, body.size() - before, FCGI_stdin));
    } while (body.size() > before);
    const std::string declared = variable("CONTENT_LENGTH");
    if (body.size() < most && !declared.empty() && declared != std::to_string(body.size())) {
        throw std::runtime_error("the request's body has ended early");
    }
    return body;
}

void write(const std::string& text) {
    FCGI_fwrite(const_cast<char*>(text.data()), 1, text.size(), FCGI_stdout);
}

std::string head(const Response& response) {
    std::string text = "Status: " + std::to_string(response.status) + "\r\n";
    text += "Content-Type: text/html; charset=utf-8\r\n";
    text += "Content-Length: " + std::to_string(response.html.size()) + "\r\n";
    if (!response.allowed_method.empty()) {
        text += "Allow: " + response.allowed_method + "\r\n";
    }
    if (!response.cookie.empty()) {
        text += "Set-Cookie: " + response.cookie + "\r\n";
    }
    return text + "\r\n";
}

/// Puts off the end of this process, if it is told to end, or lets it happen.
void hold_end_back(bool is_held) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigprocmask(is_held ? SIG_BLOCK : SIG_UNBLOCK, &signals, nullptr);
}

}  // namespace

void serve(const std::function<Response(const Request&)>& answer) {
    while (FCGI_Accept() >= 0) {
        hold_end_back(true);
        const Response response =
            answer({variable("REQUEST_METHOD"), variable("REQUEST_URI"), variable("HTTP_COOKIE"), read_body});
        if (!response.complaint.empty()) {
            FCGI_fprintf(FCGI_stderr, "%s\n", response.complaint.c_str());
        }
        // A web server that can't send the rest of a body may not look at the answer.
        std::string rest(piece, '\0');
        while (FCGI_fread(rest.data(), 1, rest.size(), FCGI_stdin) > 0) {
        }
        write(head(response));
        write(response.html);
        FCGI_Finish();
        hold_end_back(false);
    }
}

}  // namespace mail
