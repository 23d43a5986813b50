#include "mail/template.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace {

using mail::Fields;
using mail::Functions;
using mail::Value;

Value text(const char* text) {
    return Value{.text = text};
}

/// A folder that nobody else has, for as long as this lives.
class Folder {
  public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "tierbench-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) {
            throw std::filesystem::filesystem_error("no folder can be made", name,
                                                    std::error_code(errno, std::generic_category()));
        }
        path_ = name;
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

/// What becomes of a template, with some values.
std::string interpreted(const std::string& source, const Functions& functions = {}) {
    const Folder own;
    const std::filesystem::path& folder = own.path();
    std::ofstream(folder / "page.html") << source;
    std::ofstream(folder / "part.html") << "<i>[[name]]</i>";
    Value list;
    list.items = {Value{.fields = {{"name", text("one")}}}, Value{.fields = {{"name", text("two")}}}};
    mail::Page page(folder.string(), functions,
                    Fields{{"name", text("<a & \"b\" 'c'>")}, {"list", list}, {"none", Value{}}});
    page.interpret("page");
    return page.html();
}

}  // namespace

TEST_CASE("values are text and never markup") {
    CHECK(interpreted("<p>[[name]]</p>") == "<p>&lt;a &amp; &quot;b&quot; &#39;c&#39;&gt;</p>");
    CHECK(interpreted("[[nothing]][[list.nothing]]") == "");
}

TEST_CASE("lists are gone through, and names inside hide those outside") {
    CHECK(interpreted("[[for x in list]]([[x.name]])[[end]]") == "(one)(two)");
    CHECK(interpreted("[[for x in none]]([[x.name]])[[end]].") == ".");
    CHECK(interpreted("[[for x in list]][[for y in list]][[y.name]] [[end]];[[end]]") ==
          "one two ;one two ;");
}

TEST_CASE("conditions have two sides, also inside of what is not shown") {
    CHECK(interpreted("[[if name]]yes[[else]]no[[end]]") == "yes");
    CHECK(interpreted("[[if none]]yes[[else]]no[[end]]") == "no");
    CHECK(interpreted("[[if none]][[if name]]a[[else]]b[[end]][[end]].") == ".");
    CHECK(interpreted("[[if none]]x[[else]][[if name]]a[[else]]b[[end]][[end]].") == "a.");
    CHECK(interpreted("[[if name]][[if none]]a[[end]]b[[else]]c[[end]]") == "b");
}

TEST_CASE("functions are called with values and texts") {
    const Functions functions{{"join", [](const std::vector<std::string>& words) {
                                   return Value{.text = words.at(0) + "+" + words.at(1)};
                               }}};
    CHECK(interpreted("[[set x = join(\"a, b\", name)]][[x]]", functions) ==
          "a, b+&lt;a &amp; &quot;b&quot; &#39;c&#39;&gt;");
    CHECK(interpreted("[[if none]][[set x = join(name)]][[end]][[x]]", functions) == "");
    CHECK(interpreted("[[set name = \"x\"]][[include part]]") == "<i>x</i>");
}

TEST_CASE("what a template says wrong is an error") {
    for (const char* wrong :
         {"[[name", "[[]]", "[[set x = nothing()]]", "[[do x y]]", "[[include nowhere]]"}) {
        CHECK_THROWS_AS(interpreted(wrong), std::runtime_error);
    }
}
