#include "common/gateway.hpp"

#include <fcgiapp.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <stdexcept>

namespace common {

namespace {

/// One request of the web server, and the way back to it.
class Exchange {
  public:
    Exchange() = default;
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;
    virtual ~Exchange() = default;

    /// Empty where the web server has not set it.
    virtual std::string_view variable(const char* name) const = 0;
    /// How many bytes of the body were read; fewer than wanted at its end.
    virtual std::size_t read(char* place, std::size_t wanted) = 0;
    virtual void write(std::string_view text) = 0;
    virtual void log(std::string_view text) = 0;
};

std::string_view or_empty(const char* text) {
    return text == nullptr ? std::string_view{} : std::string_view{text};
}

/// The request that this process was started for.
class CgiExchange final : public Exchange {
  public:
    std::string_view variable(const char* name) const override { return or_empty(std::getenv(name)); }

    std::size_t read(char* place, std::size_t wanted) override {
        std::size_t count = 0;
        ssize_t more = 0;
        while (count < wanted && (more = ::read(STDIN_FILENO, place + count, wanted - count)) > 0) {
            count += static_cast<std::size_t>(more);
        }
        return count;
    }

    void write(std::string_view text) override { write_to(STDOUT_FILENO, text); }
    void log(std::string_view text) override { write_to(STDERR_FILENO, text); }

  private:
    /// If nobody reads it any more, there is nobody to tell.
    static void write_to(int file, std::string_view text) {
        ssize_t written = 0;
        while (!text.empty() && (written = ::write(file, text.data(), text.size())) > 0) {
            text.remove_prefix(static_cast<std::size_t>(written));
        }
    }
};

class FastCgiExchange final : public Exchange {
  public:
    explicit FastCgiExchange(FCGX_Request& request) : request_(request) {}

    std::string_view variable(const char* name) const override {
        return or_empty(FCGX_GetParam(name, request_.envp));
    }

    std::size_t read(char* place, std::size_t wanted) override {
        return static_cast<std::size_t>(FCGX_GetStr(place, static_cast<int>(wanted), request_.in));
    }

    void write(std::string_view text) override { put(text, request_.out); }
    void log(std::string_view text) override { put(text, request_.err); }

  private:
    static void put(std::string_view text, FCGX_Stream* stream) {
        FCGX_PutStr(text.data(), static_cast<int>(text.size()), stream);
    }

    FCGX_Request& request_;
};

/// Puts off the end of this process, if it is told to end, until its request is answered.
class EndHeldBack {
  public:
    EndHeldBack() {
        sigset_t signals;
        sigemptyset(&signals);
        sigaddset(&signals, SIGTERM);
        sigprocmask(SIG_BLOCK, &signals, &before_);
    }
    ~EndHeldBack() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
    EndHeldBack(const EndHeldBack&) = delete;
    EndHeldBack& operator=(const EndHeldBack&) = delete;

  private:
    sigset_t before_{};
};

/// So much of a body is read at once.
constexpr std::size_t piece = 16384;

/// Throws if the visitor has left before the body was sent as a whole: half of it is not what he meant.
std::string read_body(Exchange& exchange, std::size_t most) {
    std::string body;
    std::size_t before = 0;
    do {
        before = body.size();
        body.resize(std::min(before + piece, most));
        body.resize(before + exchange.read(body.data() + before, body.size() - before));
    } while (body.size() > before);
    const std::string_view declared = exchange.variable("CONTENT_LENGTH");
    if (body.size() < most && !declared.empty() && declared != std::to_string(body.size())) {
        throw std::runtime_error("the request's body has ended early");
    }
    return body;
}

/// Takes what is left of a body, since a web server that can't send it may not look at the answer.
void drain(Exchange& exchange) {
    std::array<char, piece> place;
    while (exchange.read(place.data(), place.size()) > 0) {
    }
}

std::string head(const Response& response) {
    std::string text = "Status: " + std::to_string(response.status) + "\r\n";
    text += "Content-Type: text/html; charset=utf-8\r\n";
    text += "Content-Length: " + std::to_string(response.html.size()) + "\r\n";
    if (!response.allowed_method.empty()) {
        text += "Allow: " + response.allowed_method + "\r\n";
    }
    return text + "\r\n";
}

void answer(Exchange& exchange, const Site& site) {
    const Response response = site.respond({
        .method = std::string(exchange.variable("REQUEST_METHOD")),
        .target = std::string(exchange.variable("REQUEST_URI")),
        .read_body = [&](std::size_t most) { return read_body(exchange, most); },
    });
    if (!response.complaint.empty()) {
        exchange.log(response.complaint + "\n");
    }
    drain(exchange);
    exchange.write(head(response));
    exchange.write(response.html);
}

}  // namespace

void serve(const Site& site) {
    if (FCGX_IsCGI() != 0) {
        CgiExchange exchange;
        answer(exchange, site);
        return;
    }
    FCGX_Request request;
    FCGX_InitRequest(&request, 0, 0);
    while (FCGX_Accept_r(&request) == 0) {
        const EndHeldBack until_answered;
        FastCgiExchange exchange{request};
        answer(exchange, site);
        FCGX_Finish_r(&request);
    }
}

}  // namespace common
