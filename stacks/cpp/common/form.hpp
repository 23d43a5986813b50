/// The parameters of a request, read strictly.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace common {

/// What a form, or a link, has sent. Reading throws the `Fault` of the page that refuses it.
class Form {
  public:
    /// Takes `a=1&b=two+words%21` apart. Bytes of a broken escape are taken as they are.
    static Form decode(std::string_view encoded);

    /// A text of 1 to `most` code points of UTF-8 without NUL as it is; of a repeated one, the first.
    const std::string& text(std::string_view name, std::size_t most) const;

    /// Whether a parameter is missing or empty.
    bool is_absent(std::string_view name) const;

    /// A text that contains an @.
    const std::string& email(std::string_view name, std::size_t most) const;

  private:
    /// The first value of this name, or null.
    const std::string* find(std::string_view name) const;

    std::vector<std::pair<std::string, std::string>> values_;
};

}  // namespace common
