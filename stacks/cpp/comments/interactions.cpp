#include "comments/interactions.hpp"

#include "comments/pages.hpp"

namespace comments {

common::Page store_comment(const common::Form& form, common::Database& database) {
    const std::string& name = form.text("name", 50);
    const std::string& email = form.email("email", 80);
    const std::string& comment = form.text("comment", 2048);
    const std::int64_t id = database.insert("INSERT INTO comments (name, email, comment) VALUES (?, ?, ?)",
                                            {name, email, comment});
    return stored(id, name, comment);
}

common::Page list_comments(const common::Form&, common::Database& database) {
    return list(database.query("SELECT * FROM comments ORDER BY id"));
}

}  // namespace comments
