package Comments::Pages;

# The pages, as text.

use v5.36;
use utf8;

use Common::Html qw(escape);

# `comment $id` was recorded.
sub store_comment ( $id, $name, $comment ) {
    my ( $safe_name, $safe_comment ) = map { escape($_) } $name, $comment;
    return _page( 'Your comment is published', <<"HTML");
<h1>Your comment is published</h1>
<p>We have recorded <data class="acknowledged" value="$id">comment $id</data> by $safe_name.</p>
<p class="text">$safe_comment</p>
<p><a class="button" href="/comments/ListComments">Read all comments</a></p>
HTML
}

# Rows of comments.
sub list_comments ($comments) {
    my $rows = join q{}, map { _row($_) } $comments->@*;
    my $list = $rows ? <<"HTML" : "<p>There are no comments.</p>\n";
<table>
<caption>All comments, the oldest first</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Email address</th><th scope="col">Comment</th></tr></thead>
<tbody>
$rows</tbody>
</table>
HTML
    return _page( 'Comments', "<h1>Comments</h1>\n$list" );
}

# Why a request is refused.
sub error ($fault) {
    my ( $heading, $message ) = map { escape($_) } $fault->heading, $fault->message;
    return _page( $heading, "<h1>$heading</h1>\n<p>$message</p>\n" );
}

sub _row ($comment) {
    my ( $name, $email, $text ) = map { escape($_) } $comment->@{qw(name email comment)};
    return qq{<tr><th scope="row">$name</th><td>$email</td><td class="text">$text</td></tr>\n};
}

# What all pages have around their title and their content, both HTML.
sub _page ( $title, $content ) {
    return <<"HTML";
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title – Comments</title>
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
$content</main>
<footer>
<p>The comment page of tierbench, after Gousios and Spinellis.</p>
</footer>
</body>
</html>
HTML
}

1;
