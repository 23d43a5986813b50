#include "common/form.hpp"

#include <utf8.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "common/fault.hpp"

namespace common {

namespace {

/// The byte that two hexadecimal digits at the begin of a text stand for, or -1 if there are none.
int escaped_byte(std::string_view text) {
    std::uint8_t byte = 0;
    if (text.size() < 2) {
        return -1;
    }
    const auto [end, error] = std::from_chars(text.data(), text.data() + 2, byte, 16);
    return error == std::errc{} && end == text.data() + 2 ? byte : -1;
}

std::string unescape(std::string_view encoded) {
    std::string plain;
    plain.reserve(encoded.size());
    for (std::size_t at = 0; at < encoded.size(); ++at) {
        const int byte = encoded[at] == '%' ? escaped_byte(encoded.substr(at + 1)) : -1;
        if (byte >= 0) {
            plain += static_cast<char>(byte);
            at += 2;
        } else {
            plain += encoded[at] == '+' ? ' ' : encoded[at];
        }
    }
    return plain;
}

bool is_text(const std::string& value, std::size_t most) {
    if (value.find('\0') != std::string::npos || !utf8::is_valid(value.begin(), value.end())) {
        return false;
    }
    const auto length = static_cast<std::size_t>(utf8::unchecked::distance(value.begin(), value.end()));
    return length >= 1 && length <= most;
}

}  // namespace

Form Form::decode(std::string_view encoded) {
    Form form;
    while (!encoded.empty()) {
        const std::string_view pair = encoded.substr(0, encoded.find('&'));
        encoded.remove_prefix(std::min(pair.size() + 1, encoded.size()));
        if (!pair.empty()) {
            const std::string_view name = pair.substr(0, pair.find('='));
            const std::string_view value = pair.substr(std::min(name.size() + 1, pair.size()));
            form.values_.emplace_back(unescape(name), unescape(value));
        }
    }
    return form;
}

const std::string* Form::find(std::string_view name) const {
    const auto found =
        std::find_if(values_.begin(), values_.end(), [&](const auto& pair) { return pair.first == name; });
    return found == values_.end() ? nullptr : &found->second;
}

bool Form::is_absent(std::string_view name) const {
    const std::string* const value = find(name);
    return value == nullptr || value->empty();
}

const std::string& Form::text(std::string_view name, std::size_t most) const {
    const std::string* const value = find(name);
    if (value == nullptr || !is_text(*value, most)) {
        throw Fault::parameter(name);
    }
    return *value;
}

const std::string& Form::email(std::string_view name, std::size_t most) const {
    const std::string& address = text(name, most);
    if (address.find('@') == std::string::npos) {
        throw Fault::parameter(name);
    }
    return address;
}

}  // namespace common
