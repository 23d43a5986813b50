/// What visitors of the comment page do.
#pragma once

#include "common/site.hpp"

namespace comments {

/// Records a comment.
common::Page store_comment(const common::Form& form, common::Database& database);

/// All comments.
common::Page list_comments(const common::Form& form, common::Database& database);

}  // namespace comments
