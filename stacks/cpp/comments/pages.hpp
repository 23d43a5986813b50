/// The pages of the comment page.
#pragma once

#include "common/site.hpp"

namespace comments {

/// What all pages have.
common::Html layout(const common::Page& page);

common::Page stored(std::int64_t id, std::string_view name, std::string_view comment);

/// `comments` are rows of the table, in the order in which they are shown.
common::Page list(const common::Rows& comments);

}  // namespace comments
