#include "mail/files.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace mail {

namespace {

constexpr std::array<std::string_view, 4> pages{
    "/mail/trivial/LogIn",
    "/mail/trivial/ListMessages",
    "/mail/trivial/ReadMessage",
    "/mail/trivial/LogOut",
};

}  // namespace

std::string read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        throw std::runtime_error("there is no file " + path);
    }
    return {std::istreambuf_iterator<char>(file), {}};
}

std::optional<std::string> file_page(std::string_view path, const std::string& folder) {
    if (std::find(pages.begin(), pages.end(), path) == pages.end()) {
        return std::nullopt;
    }
    return read_file(folder + std::string(path) + ".html");
}

}  // namespace mail
