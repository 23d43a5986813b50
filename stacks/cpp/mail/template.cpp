#include "mail/template.hpp"

#include <algorithm>
#include <stdexcept>

#include "mail/files.hpp"

namespace mail {

namespace {

const Value nothing;

void escape(std::string_view text, std::string& html) {
    for (const char letter : text) {
        switch (letter) {
            case '&':
                html += "&amp;";
                break;
            case '<':
                html += "&lt;";
                break;
            case '>':
                html += "&gt;";
                break;
            case '"':
                html += "&quot;";
                break;
            case '\'':
                html += "&#39;";
                break;
            default:
                html += letter;
        }
    }
}

/// The words of a tag: names, marks, and texts with their quotation mark in front.
std::vector<std::string> split(std::string_view tag) {
    constexpr std::string_view marks = "(),=";
    std::vector<std::string> words;
    while (!tag.empty()) {
        std::size_t length = 1;
        if (tag.front() == ' ' || tag.front() == '\n') {
            tag.remove_prefix(1);
            continue;
        }
        if (tag.front() == '"') {
            const std::size_t end = tag.find('"', 1);
            words.emplace_back(tag.substr(0, end));
            length = end == std::string_view::npos ? tag.size() : end + 1;
        } else {
            if (marks.find(tag.front()) == std::string_view::npos) {
                length = std::min(tag.find_first_of(" \n(),="), tag.size());
            }
            words.emplace_back(tag.substr(0, length));
        }
        tag.remove_prefix(length);
    }
    return words;
}

}  // namespace

/// Goes through a template.
class Page::Reader {
  public:
    explicit Reader(std::string_view text) : text_(text) {}

    /// The text up to the next tag, or to the end.
    std::string_view text() {
        const std::size_t end = std::min(text_.find("[[", at_), text_.size());
        const std::string_view found = text_.substr(at_, end - at_);
        at_ = end;
        return found;
    }

    bool is_over() const { return at_ == text_.size(); }

    std::vector<std::string> tag() {
        const std::size_t end = text_.find("]]", at_);
        if (end == std::string_view::npos) {
            throw std::runtime_error("a tag of a template has no end");
        }
        std::vector<std::string> words = split(text_.substr(at_ + 2, end - at_ - 2));
        at_ = end + 2;
        if (words.empty()) {
            throw std::runtime_error("a tag of a template is empty");
        }
        return words;
    }

    std::size_t place() const { return at_; }
    void go_to(std::size_t place) { at_ = place; }

    /// By which word the last block ended.
    std::string last_end{};

  private:
    std::string_view text_;
    std::size_t at_ = 0;
};

void Page::interpret(std::string_view name) {
    const std::string text = read_file(folder_ + "/" + std::string(name) + ".html");
    Reader reader(text);
    run(reader, true);
}

/// Up to the end of a block, or of the template. What is not active is read and does nothing.
void Page::run(Reader& reader, bool is_active) {
    while (true) {
        const std::string_view text = reader.text();
        if (is_active) {
            html_ += text;
        }
        if (reader.is_over()) {
            return;
        }
        const std::vector<std::string> words = reader.tag();
        if (words.front() == "end" || words.front() == "else") {
            reader.last_end = words.front();
            return;
        }
        obey(reader, words, is_active);
    }
}

void Page::obey(Reader& reader, const std::vector<std::string>& words, bool is_active) {
    const std::string& verb = words.front();
    if (verb == "for" && words.size() == 4) {
        repeat(reader, words, is_active);
    } else if (verb == "if" && words.size() == 2) {
        choose(reader, words, is_active);
    } else if (!is_active) {
        return;
    } else if (verb == "include" && words.size() == 2) {
        interpret(words[1]);
    } else if (verb == "set" && words.size() > 3) {
        scopes_.back()[words[1]] = call(words);
    } else if (words.size() == 1) {
        escape(find(verb).text, html_);
    } else {
        throw std::runtime_error("a template has an unknown tag: " + verb);
    }
}

void Page::repeat(Reader& reader, const std::vector<std::string>& words, bool is_active) {
    const std::size_t begin = reader.place();
    const std::vector<Value> items = is_active ? find(words[3]).items : std::vector<Value>{};
    for (const Value& item : items) {
        reader.go_to(begin);
        scopes_.push_back({{words[1], item}});
        run(reader, true);
        scopes_.pop_back();
    }
    if (items.empty()) {
        run(reader, false);
    }
}

void Page::choose(Reader& reader, const std::vector<std::string>& words, bool is_active) {
    const bool is_true = is_active && !find(words[1]).is_empty();
    run(reader, is_true);
    if (reader.last_end == "else") {
        run(reader, is_active && !is_true);
    }
}

/// `set NAME = TEXT` or `set NAME = FUNCTION ( ARGUMENT , … )`.
Value Page::call(const std::vector<std::string>& words) {
    const auto text = [&](const std::string& word) {
        return word.front() == '"' ? word.substr(1) : find(word).text;
    };
    if (words.size() == 4) {
        return Value{.text = text(words[3])};
    }
    const auto function = functions_.find(words[3]);
    if (function == functions_.end()) {
        throw std::runtime_error("a template calls an unknown function: " + words[3]);
    }
    std::vector<std::string> arguments;
    for (std::size_t at = 5; at + 1 < words.size(); at += 2) {
        arguments.push_back(text(words[at]));
    }
    return function->second(arguments);
}

/// What a path such as `message.subject` leads to; nothing where there is no such thing.
const Value& Page::find(std::string_view path) const {
    const std::string_view name = path.substr(0, path.find('.'));
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
        const auto found = scope->find(name);
        if (found == scope->end()) {
            continue;
        }
        if (name.size() == path.size()) {
            return found->second;
        }
        const auto field = found->second.fields.find(path.substr(name.size() + 1));
        return field == found->second.fields.end() ? nothing : field->second;
    }
    return nothing;
}

}  // namespace mail
