/// Where this program finds what it reads. It is build/mail/bin/NAME of a site.
#pragma once

#include <filesystem>
#include <string>

namespace mail {

struct Places {
    std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    std::string templates = (program / "../templates").string();
    /// The application's files.
    std::string files = (program / "../../../static").string();
};

}  // namespace mail
