/// Pages as templates: HTML with tags of a small language, which are interpreted for each request.
///
///     [[message.subject]]                     the value, safe as text and in quoted attributes
///     [[set list = inbox(page)]]              calls a function with values or "texts", and names what it
///     gives
///     [[for message in list.messages]] … [[end]]
///     [[if list.has_more]] … [[else]] … [[end]]   whether the value is anything but empty
///     [[include foot]]                        another template, which sees the same values
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mail {

/// What a template works with: a text, a list, or fields with names.
struct Value {
    std::string text{};
    std::vector<Value> items{};
    std::map<std::string, Value, std::less<>> fields{};

    bool is_empty() const { return text.empty() && items.empty() && fields.empty(); }
};

using Fields = std::map<std::string, Value, std::less<>>;
using Function = std::function<Value(const std::vector<std::string>&)>;
using Functions = std::map<std::string, Function, std::less<>>;

/// A page that is being made.
class Page {
  public:
    /// `folder` holds the templates, `fields` are the values that they see first.
    Page(std::string folder, const Functions& functions, Fields fields)
        : folder_(std::move(folder)), functions_(functions), scopes_{std::move(fields)} {}

    /// Interprets a template; what it writes is added to the page.
    void interpret(std::string_view name);

    const std::string& html() const noexcept { return html_; }

  private:
    class Reader;
    void run(Reader& reader, bool is_active);
    void obey(Reader& reader, const std::vector<std::string>& words, bool is_active);
    void repeat(Reader& reader, const std::vector<std::string>& words, bool is_active);
    void choose(Reader& reader, const std::vector<std::string>& words, bool is_active);
    Value call(const std::vector<std::string>& words);
    const Value& find(std::string_view path) const;

    std::string folder_;
    const Functions& functions_;
    std::vector<Fields> scopes_;
    std::string html_{};
};

}  // namespace mail
