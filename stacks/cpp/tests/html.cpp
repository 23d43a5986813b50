#include "common/html.hpp"

#include <doctest/doctest.h>

using common::Html;
using common::operator""_html;

TEST_CASE("what is not markup of the source is text") {
    const std::string hostile = R"(<b class="x">'Ada' & Söhne &lt;</b>)";
    Html html;
    html << "<p>"_html << hostile << "</p>"_html;
    CHECK(html.source() ==
          "<p>&lt;b class=&quot;x&quot;&gt;&#39;Ada&#39; &amp; Söhne &amp;lt;&lt;/b&gt;</p>");
}

TEST_CASE("parts are written once and numbers as they are") {
    Html part;
    part << "<i>"_html
         << "&"
         << "</i>"_html;
    Html html;
    html << part << std::int64_t{-7} << "" << std::string(2, '\0');
    CHECK(html.source() == std::string("<i>&amp;</i>-7\0\0", 16));
}
