use crate::rows::Comment;
use application::RequestFault;
use askama::Template;

#[derive(Template)]
#[template(path = "form.html")]
struct FormPage;

#[derive(Template)]
#[template(path = "store_comment.html")]
struct Stored<'a> {
    comment: &'a Comment,
}

#[derive(Template)]
#[template(path = "list_comments.html")]
struct List<'a> {
    comments: &'a [Comment],
}

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage<'a> {
    heading: &'static str,
    fault: &'a RequestFault,
}

/// The same for everybody.
pub fn form() -> String {
    render(&FormPage)
}

pub fn store_comment(comment: &Comment) -> String {
    render(&Stored { comment })
}

pub fn list_comments(comments: &[Comment]) -> String {
    render(&List { comments })
}

pub fn error(fault: &RequestFault) -> String {
    render(&ErrorPage { heading: application::heading(fault.status()), fault })
}

fn render(page: &impl Template) -> String {
    page.render().expect("pages are written to memory, which can't fail")
}
