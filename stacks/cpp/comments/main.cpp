#include "comments/interactions.hpp"
#include "comments/pages.hpp"
#include "common/gateway.hpp"

int main() {
    common::Database database{common::connect};
    const std::vector<common::Route> routes{
        {"/comments/index.html", "GET", nullptr},
        {"/comments/StoreComment", "POST", comments::store_comment},
        {"/comments/ListComments", "GET", comments::list_comments},
        {"/comments/style.css", "GET", nullptr},
        {"/comments/logo.svg", "GET", nullptr},
    };
    common::serve(common::Site{routes, comments::layout, database});
}
