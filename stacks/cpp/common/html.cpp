#include "common/html.hpp"

namespace common {

namespace {

/// What stands for a character that could be taken for markup; nothing for all others.
std::string_view reference(char character) {
    switch (character) {
        case '&':
            return "&amp;";
        case '<':
            return "&lt;";
        case '>':
            return "&gt;";
        case '"':
            return "&quot;";
        case '\'':
            return "&#39;";
        default:
            return {};
    }
}

}  // namespace

Html& Html::operator<<(Markup markup) {
    source_ += markup.text();
    return *this;
}

Html& Html::operator<<(const Html& part) {
    source_ += part.source_;
    return *this;
}

Html& Html::operator<<(std::string_view text) {
    std::size_t written = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (const auto instead = reference(text[at]); !instead.empty()) {
            source_.append(text, written, at - written).append(instead);
            written = at + 1;
        }
    }
    source_.append(text, written);
    return *this;
}

Html& Html::operator<<(std::int64_t number) {
    source_ += std::to_string(number);
    return *this;
}

}  // namespace common
