#include "comments/pages.hpp"

namespace comments {

using common::Html;
using common::Page;
using common::operator""_html;

Html layout(const Page& page) {
    Html html;
    html << R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>)"_html
         << page.title << R"( – Comments</title>
<link rel="icon" href="/comments/logo.svg" type="image/svg+xml">
<link rel="stylesheet" href="/comments/style.css">
</head>
<body>
<header>
<img src="/comments/logo.svg" alt="Comments" width="32" height="32">
<nav aria-label="Main">
<ul>
<li><a href="/comments/index.html">Write a comment</a></li>
<li><a href="/comments/ListComments">Read the comments</a></li>
</ul>
</nav>
</header>
<main>
)"_html << page.content
         << R"(</main>
<footer>
<p>The comment page of tierbench, after Gousios and Spinellis.</p>
</footer>
</body>
</html>
)"_html;
    return html;
}

Page stored(std::int64_t id, std::string_view name, std::string_view comment) {
    Page page{"Your comment is published", {}};
    page.content << "<h1>Your comment is published</h1>\n"_html
                 << R"(<p>We have recorded <data class="acknowledged" value=")"_html << id
                 << R"(">comment )"_html << id << "</data> by "_html << name << ".</p>\n"_html
                 << R"(<p class="text">)"_html << comment << "</p>\n"_html
                 << R"(<p><a class="button" href="/comments/ListComments">Read all comments</a></p>)"_html;
    return page;
}

Page list(const common::Rows& comments) {
    Page page{"Comments", {}};
    Html& html = page.content;
    html << "<h1>Comments</h1>\n"_html;
    if (comments.size() == 0) {
        html << "<p>There are no comments.</p>\n"_html;
        return page;
    }
    html << R"(<table>
<caption>All comments, the oldest first</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Email address</th><th scope="col">Comment</th></tr></thead>
<tbody>
)"_html;
    for (std::size_t row = 0; row < comments.size(); ++row) {
        html << R"(<tr><th scope="row">)"_html << comments.text(row, "name") << "</th><td>"_html
             << comments.text(row, "email") << R"(</td><td class="text">)"_html
             << comments.text(row, "comment") << "</td></tr>\n"_html;
    }
    html << "</tbody>\n</table>\n"_html;
    return page;
}

}  // namespace comments
