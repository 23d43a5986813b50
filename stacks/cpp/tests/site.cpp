#include "common/site.hpp"

#include <doctest/doctest.h>

#include "comments/interactions.hpp"
#include "comments/pages.hpp"

using common::Database;
using common::DatabaseError;
using common::Response;

namespace {

std::unique_ptr<common::Connection> nobody_there() {
    throw DatabaseError("<nobody> is there");
}

/// What a site answers whose database doesn't.
Response asked(const std::string& method, const std::string& target, const std::string& body = {}) {
    Database database{nobody_there};
    const common::Site site{
        {{"/store", "POST", comments::store_comment}, {"/list", "GET", comments::list_comments}},
        comments::layout,
        database};
    return site.respond({method, target, [&](std::size_t most) { return body.substr(0, most); }});
}

bool holds(const Response& response, std::string_view text) {
    return response.html.find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("checks run in this order: path, method, size, parameters") {
    const std::string too_long(2 * 1024 * 1024 + 1, '&');
    CHECK(asked("PUT", "/nowhere", too_long).status == 404);
    CHECK(asked("GET", "").status == 404);
    CHECK(asked("GET", "/list/").status == 404);
    CHECK(asked("GET", "/store", too_long).status == 405);
    CHECK(asked("POST", "/store", too_long).status == 413);
    CHECK(asked("POST", "/store", too_long.substr(1)).status == 400);
    CHECK(holds(asked("POST", "/store", "email=a"), "The parameter name is"));
    CHECK(holds(asked("POST", "/store?name=a", "name=a&email=a&comment="), "The parameter email is"));
}

TEST_CASE("a method that is not the page's is named, with the right one") {
    const Response response = asked("HEAD", "/store");
    CHECK(response.status == 405);
    CHECK(response.allowed_method == "POST");
    CHECK(holds(response, "<h1>Wrong method</h1>\n<p>This page is for POST requests only.</p>"));
}

TEST_CASE("what goes wrong here is told to the log and not to the visitor") {
    const Response response = asked("GET", "/list?x=1");
    CHECK(response.status == 500);
    CHECK(response.complaint == "<nobody> is there");
    CHECK(!holds(response, "nobody"));
}

TEST_CASE("a list has a row for each comment, in their order") {
    common::Rows rows{{"id", "name", "email", "comment"}};
    CHECK(comments::list(rows).content.source().find("There are no comments") != std::string::npos);
    for (const auto* cell : {"1", "<Ada>", "a@b", "x", "2", "Bob", "b@c", "y"}) {
        rows.add(cell);
    }
    const std::string html = comments::list(rows).content.source();
    const std::string first =
        R"(<tr><th scope="row">&lt;Ada&gt;</th><td>a@b</td><td class="text">x</td></tr>)";
    REQUIRE(html.find(first) != std::string::npos);
    CHECK(html.find("Bob") > html.find(first));
    CHECK_THROWS_AS(rows.text(0, "nickname"), DatabaseError);
}
