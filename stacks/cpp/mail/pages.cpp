#include "mail/pages.hpp"

#include <utf8.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "common/fault.hpp"
#include "common/form.hpp"
#include "mail/delivery.hpp"
#include "mail/directory.hpp"
#include "mail/files.hpp"
#include "mail/mailbox.hpp"
#include "mail/message.hpp"
#include "mail/refusal.hpp"
#include "mail/session.hpp"
#include "mail/template.hpp"

namespace mail {

namespace {

constexpr std::size_t longest_body = std::size_t{2} * 1024 * 1024;
/// So many messages a page of the list has.
constexpr std::size_t page_length = 20;
/// Of new rows' ids: what a message's number counts, and which folder of whom it is in.
constexpr std::int64_t id_step = 1'000'000;

/// What one request has brought, and what its template may ask for.
class Conversation {
  public:
    Conversation(const Settings& settings, std::string_view encoded_form, std::string_view cookies)
        : settings_(settings), form_(common::Form::decode(encoded_form)), cookies_(cookies) {}

    // What a page takes, in the order in which it is checked.
    void take_log_in() {
        session_.nickname = nickname("nickname");
        session_.password = form_.text("password", 20);
    }
    void take_session();
    void take_page() { set("page", std::to_string(whole("page", 6, 0, 999'999))); }
    void take_message() { set("number", std::to_string(whole("message", 9, 1, 999'999'999))); }
    void take_letter();
    void take_recipient();
    void take_new_message();

    /// What the template can call.
    Functions functions();

    const Fields& fields() const { return fields_; }
    const std::string& cookie() const { return cookie_; }

  private:
    void set(const std::string& name, const std::string& text) { fields_[name].text = text; }
    std::string nickname(std::string_view name) const;
    std::int64_t whole(std::string_view name, std::size_t most, std::int64_t least,
                       std::int64_t largest) const;

    Value log_in();
    Value log_out();
    Value list(const std::vector<std::string>& arguments);
    Value read(const std::vector<std::string>& arguments);
    Value remove(const std::vector<std::string>& arguments);
    Value addresses(const std::vector<std::string>& arguments);
    Value send(const std::vector<std::string>& arguments);

    const Settings& settings_;
    common::Form form_;
    std::string_view cookies_;
    Session session_{};
    Fields fields_{};
    std::string cookie_{};
};

/// The value of the only cookie of this name; nothing if there is none, or several.
std::optional<std::string_view> only_cookie(std::string_view cookies, std::string_view name) {
    std::optional<std::string_view> found;
    while (!cookies.empty()) {
        std::string_view pair = cookies.substr(0, cookies.find(';'));
        cookies.remove_prefix(std::min(pair.size() + 1, cookies.size()));
        pair.remove_prefix(std::min(pair.find_first_not_of(" \t"), pair.size()));
        pair.remove_suffix(pair.size() - std::min(pair.find_last_not_of(" \t") + 1, pair.size()));
        if (pair.substr(0, pair.find('=')) == name && pair.size() > name.size()) {
            if (found) {
                return std::nullopt;
            }
            found = pair.substr(name.size() + 1);
        }
    }
    return found;
}

void Conversation::take_session() {
    const auto cookie = only_cookie(cookies_, "session");
    const auto session = cookie && cookie->size() <= 400 ? unlock(*cookie, settings_.key) : std::nullopt;
    if (!session) {
        throw Refusal::not_logged_in();
    }
    session_ = *session;
}

std::string Conversation::nickname(std::string_view name) const {
    const std::string& text = form_.text(name, 20);
    const bool is_plain = std::all_of(text.begin(), text.end(), [](char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9');
    });
    if (!is_plain) {
        throw common::Fault::parameter(name);
    }
    return text;
}

std::int64_t Conversation::whole(std::string_view name, std::size_t most, std::int64_t least,
                                 std::int64_t largest) const {
    const std::string& text = form_.text(name, most);
    std::int64_t number = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_whole = error == std::errc{} && end == text.data() + text.size() && text.front() != '-' &&
                          (text.size() == 1 || text.front() != '0');
    if (!is_whole || number < least || number > largest) {
        throw common::Fault::parameter(name);
    }
    return number;
}

void Conversation::take_letter() {
    const std::string& letter = form_.text("letter", 1);
    if (letter.front() < 'A' || letter.front() > 'Z') {
        throw common::Fault::parameter("letter");
    }
    set("letter", letter);
    for (char other = 'A'; other <= 'Z'; ++other) {
        fields_["letters"].items.push_back(Value{.text = std::string(1, other)});
    }
}

void Conversation::take_recipient() {
    if (!form_.is_absent("to")) {
        set("to", nickname("to"));
    }
}

void Conversation::take_new_message() {
    set("to", nickname("to"));
    const std::string& subject = form_.text("subject", 100);
    for (auto at = subject.begin(); at != subject.end();) {
        const auto letter = static_cast<std::uint32_t>(utf8::unchecked::next(at));
        if (letter < 0x20 || (letter >= 0x7f && letter < 0xa0)) {
            throw common::Fault::parameter("subject");
        }
    }
    const std::size_t begin = subject.find_first_not_of(' ');
    if (begin == std::string::npos) {
        throw common::Fault::parameter("subject");
    }
    set("subject", subject.substr(begin, subject.find_last_not_of(' ') + 1 - begin));
    set("text", form_.text("text", 20'000));
}

std::string formatted(std::time_t instant, const char* format) {
    std::array<char, 32> text{};
    std::tm parts{};
    gmtime_r(&instant, &parts);
    return {text.data(), std::strftime(text.data(), text.size(), format, &parts)};
}

Value text(std::string_view text) {
    return Value{.text = std::string(text)};
}

Value shown(const Message& message, std::uint32_t uid) {
    Value attachments;
    for (const std::string& attachment : message.attachments) {
        attachments.items.push_back(text(attachment));
    }
    return Value{.fields = {
                     {"number", text(std::to_string(uid))},
                     {"sender", text(message.sender)},
                     {"nickname", text(message.sender.substr(0, message.sender.find('@')))},
                     {"recipient", text(message.recipient)},
                     {"subject", text(message.subject)},
                     {"date", text(formatted(message.date, "%Y-%m-%d %H:%M:%S"))},
                     {"instant", text(formatted(message.date, "%Y-%m-%dT%H:%M:%SZ"))},
                     {"text", text(message.text)},
                     {"attachments", attachments},
                 }};
}

Value shown(const Person& person) {
    return Value{.fields = {
                     {"nickname", text(person.nickname)},
                     {"firstname", text(person.firstname)},
                     {"lastname", text(person.lastname)},
                     {"address", text(person.address)},
                 }};
}

Value Conversation::log_in() {
    Directory directory(settings_);
    if (!directory.log_in(session_)) {
        throw Refusal::wrong_password();
    }
    const auto person = directory.find(session_.nickname);
    Value user = shown(person.value());
    user.fields["messages"] = text(std::to_string(Mailbox(settings_, session_).shown().size()));
    cookie_ = "session=" + lock(session_, settings_.key) + "; Path=/mail; HttpOnly; SameSite=Lax";
    return user;
}

Value Conversation::log_out() {
    cookie_ = "session=; Path=/mail; Max-Age=0; HttpOnly; SameSite=Lax";
    return {};
}

Value Conversation::list(const std::vector<std::string>& arguments) {
    const auto page = static_cast<std::size_t>(std::stoul(arguments.at(0)));
    Mailbox mailbox(settings_, session_);
    const std::vector<std::uint32_t> all = mailbox.shown();
    const std::size_t end = all.size() - std::min(page * page_length, all.size());
    const std::size_t begin = end - std::min(page_length, end);
    const std::vector<std::uint32_t> uids(all.begin() + static_cast<std::ptrdiff_t>(begin),
                                          all.begin() + static_cast<std::ptrdiff_t>(end));
    Value messages;
    for (const Fetched& head : mailbox.heads(uids)) {
        messages.items.push_back(shown(parse(head.source), head.uid));
    }
    return Value{.fields = {
                     {"messages", messages},
                     {"newer", text(page > 0 ? std::to_string(page - 1) : "")},
                     {"older", text(begin > 0 ? std::to_string(page + 1) : "")},
                 }};
}

Value Conversation::read(const std::vector<std::string>& arguments) {
    const auto uid = static_cast<std::uint32_t>(std::stoul(arguments.at(0)));
    const auto found = Mailbox(settings_, session_).message(uid);
    if (!found) {
        throw Refusal::no_message();
    }
    return shown(parse(found->source), uid);
}

Value Conversation::remove(const std::vector<std::string>& arguments) {
    const auto uid = static_cast<std::uint32_t>(std::stoul(arguments.at(0)));
    if (!Mailbox(settings_, session_).mark_deleted(uid)) {
        throw Refusal::no_message();
    }
    return {};
}

Value Conversation::addresses(const std::vector<std::string>& arguments) {
    Directory directory(settings_);
    if (!directory.log_in(session_)) {
        throw Refusal::not_logged_in();
    }
    Value people;
    for (const Person& person : directory.whose_name_begins(arguments.at(0).front())) {
        people.items.push_back(shown(person));
    }
    return people;
}

/// The session with the mail store lasts until the message is delivered.
Value Conversation::send(const std::vector<std::string>& arguments) {
    Mailbox mailbox(settings_, session_);
    Directory directory(settings_);
    const auto recipient = directory.find(arguments.at(0));
    if (!recipient) {
        throw Refusal::no_recipient();
    }
    const Person sender = directory.find(session_.nickname).value();
    const Message message{sender.address,     recipient->address, arguments.at(1),
                          std::time(nullptr), arguments.at(2),    {}};
    const std::string source = compose(message);
    const std::int64_t id = mailbox.keep_sent(source) * id_step + sender.number * 2 + 1;
    deliver(settings_, message.sender, message.recipient, source);
    Value sent = shown(message, 0);
    sent.fields["id"] = text(std::to_string(id));
    return sent;
}

Functions Conversation::functions() {
    using Arguments = const std::vector<std::string>&;
    return {
        {"log_in", [this](Arguments) { return log_in(); }},
        {"log_out", [this](Arguments) { return log_out(); }},
        {"list", [this](Arguments arguments) { return list(arguments); }},
        {"read", [this](Arguments arguments) { return read(arguments); }},
        {"delete", [this](Arguments arguments) { return remove(arguments); }},
        {"addresses", [this](Arguments arguments) { return addresses(arguments); }},
        {"send", [this](Arguments arguments) { return send(arguments); }},
    };
}

using Take = void (Conversation::*)();

/// How a path is to be asked for, what it takes, and by which template it is answered: none for a file, which
/// the web server sends, unless it is a page.
struct Route {
    std::string_view path;
    std::string_view method;
    std::string_view page;
    std::vector<Take> parameters;
};

const std::vector<Route>& routes() {
    using C = Conversation;
    static const std::vector<Route> all{
        {"/mail/index.html", "GET", "", {}},
        {"/mail/style.css", "GET", "", {}},
        {"/mail/logo.svg", "GET", "", {}},
        {"/mail/trivial/LogIn", "GET", "", {}},
        {"/mail/trivial/ListMessages", "GET", "", {}},
        {"/mail/trivial/ReadMessage", "GET", "", {}},
        {"/mail/trivial/LogOut", "GET", "", {}},
        {"/mail/trivial/LogIn.html", "GET", "", {}},
        {"/mail/trivial/ListMessages.html", "GET", "", {}},
        {"/mail/trivial/ReadMessage.html", "GET", "", {}},
        {"/mail/trivial/LogOut.html", "GET", "", {}},
        {"/mail/LogIn", "POST", "LogIn", {&C::take_log_in}},
        {"/mail/ListMessages", "GET", "ListMessages", {&C::take_session, &C::take_page}},
        {"/mail/ReadMessage", "GET", "ReadMessage", {&C::take_session, &C::take_message}},
        {"/mail/DeleteMessage", "POST", "DeleteMessage", {&C::take_session, &C::take_message}},
        {"/mail/AddressBook", "GET", "AddressBook", {&C::take_session, &C::take_letter}},
        {"/mail/WriteMessage", "GET", "WriteMessage", {&C::take_session, &C::take_recipient}},
        {"/mail/SendMessage", "POST", "SendMessage", {&C::take_session, &C::take_new_message}},
        {"/mail/LogOut", "GET", "LogOut", {&C::take_session}},
    };
    return all;
}

const Route& route_of(const Request& request, std::string_view path) {
    const auto route = std::find_if(routes().begin(), routes().end(),
                                    [&](const Route& known) { return known.path == path; });
    if (route == routes().end()) {
        throw common::Fault::unknown_page();
    }
    if (route->method != request.method) {
        throw common::Fault::wrong_method(route->method);
    }
    return *route;
}

std::string encoded_form(const Request& request, std::string_view path) {
    if (request.method != "POST") {
        return request.target.substr(std::min(path.size() + 1, request.target.size()));
    }
    std::string body = request.read_body(longest_body + 1);
    if (body.size() > longest_body) {
        throw common::Fault::body_too_long();
    }
    return body;
}

Response file(std::string_view path, const std::string& files) {
    auto page = file_page(path, files);
    if (!page) {
        throw common::Fault::unknown_page();
    }
    return {.status = 200, .html = std::move(*page)};
}

Response page(const Request& request, const Settings& settings, const Places& places) {
    const std::string_view target = request.target;
    const std::string_view path = target.substr(0, target.find('?'));
    const Route& route = route_of(request, path);
    if (route.page.empty()) {
        return file(path, places.files);
    }
    const std::string form = encoded_form(request, path);
    Conversation conversation(settings, form, request.cookies);
    for (const Take take : route.parameters) {
        (conversation.*take)();
    }
    const Functions functions = conversation.functions();
    Page page(places.templates, functions, conversation.fields());
    page.interpret(route.page);
    return {.status = 200, .html = page.html(), .cookie = conversation.cookie()};
}

Response refuse(int status, std::string_view why, const std::string& templates) {
    const Functions functions;
    Page page(templates, functions, {{"heading", text(heading(status))}, {"message", text(why)}});
    page.interpret("Error");
    return {.status = status, .html = page.html()};
}

}  // namespace

Response respond(const Request& request, const Settings& settings, const Places& places) {
    try {
        return page(request, settings, places);
    } catch (const common::Fault& fault) {
        Response response = refuse(fault.status(), fault.what(), places.templates);
        response.allowed_method = fault.allowed_method();
        return response;
    } catch (const Refusal& refusal) {
        return refuse(refusal.status(), refusal.what(), places.templates);
    } catch (const std::exception& error) {
        const common::Fault fault = common::Fault::internal();
        Response response = refuse(fault.status(), fault.what(), places.templates);
        response.complaint = error.what();
        return response;
    }
}

}  // namespace mail
