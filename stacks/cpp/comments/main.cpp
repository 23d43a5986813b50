#include "comments/interactions.hpp"
#include "comments/pages.hpp"
#include "common/gateway.hpp"

int main() {
    common::Database database{common::connect};
    const std::vector<common::Route> routes{
        {"/comments/StoreComment", "POST", comments::store_comment},
        {"/comments/ListComments", "GET", comments::list_comments},
    };
    common::serve(common::Site{routes, comments::layout, database});
}
