/// HTML in which only what stands in the source is markup, and everything else is text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace common {

/// Markup that was known when this program was compiled, written as `"<p>"_html`. Nothing else can become
/// one.
class Markup {
  public:
    std::string_view text() const noexcept { return text_; }

  private:
    consteval explicit Markup(std::string_view text) : text_(text) {}
    friend consteval Markup operator""_html(const char* text, std::size_t length);

    std::string_view text_;
};

consteval Markup operator""_html(const char* text, std::size_t length) {
    return Markup{std::string_view(text, length)};
}

/// A piece of a page, written from its begin to its end.
class Html {
  public:
    Html& operator<<(Markup markup);
    Html& operator<<(const Html& part);
    /// Text, safe between tags and in quoted attributes.
    Html& operator<<(std::string_view text);
    Html& operator<<(std::int64_t number);

    const std::string& source() const noexcept { return source_; }

  private:
    std::string source_;
};

}  // namespace common
