/// The study's trivial application: pages that are files, and are returned as they are.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mail {

/// All of a file. Throws if there is none.
std::string read_file(const std::string& path);

/// The page at this path, if it is a file; `folder` holds the application's files.
std::optional<std::string> file_page(std::string_view path, const std::string& folder);

}  // namespace mail
