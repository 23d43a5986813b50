//! The comment page: a form, and the list of all that was written with it, as an executable specification.
//!
//! Every request is checked as [`application::Form`] says, its parameters included (404, 400); no other request is
//! refused. An answer is the page with status 200, or the error page with the status of what is wrong; both are HTML in
//! UTF-8.
//!
//! The statements of a stack, and no others:
//!
//! ```sql
//! INSERT INTO comments (name, email, comment) VALUES (?, ?, ?)   -- StoreComment
//! SELECT * FROM comments ORDER BY id                             -- ListComments
//! ```

mod fuzz;
mod pages;
mod population;
mod rows;
mod script;

use application::{
    Account, Application, Branch, Dataset, Form, Generator, Model, Property, Request, RequestFault, Response,
    Row, StaticFile, Step, Table, Timestamp, TokenKey, Write,
};
use population::Population;
use rows::Comment;
use settings::Document;
use std::sync::LazyLock;
use workload::Catalogue;

pub struct Comments;

/// The comment page, for the registry of applications.
pub static COMMENTS: Comments = Comments;

static TABLES: [Table; 1] = [Comment::TABLE];

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    let document = Document::new("apps/comments/app.toml", include_str!("../../app.toml"));
    Catalogue::parse(&document).expect("app.toml is part of the program and tested")
});

const HTML: &str = "text/html; charset=utf-8";

/// Files in `static/`: path, content type and bytes.
const FILES: [(&str, &str, &[u8]); 2] = [
    ("/comments/style.css", "text/css; charset=utf-8", include_bytes!("../../static/style.css")),
    ("/comments/logo.svg", "image/svg+xml; charset=utf-8", include_bytes!("../../static/logo.svg")),
];

impl Application for Comments {
    fn name(&self) -> &'static str {
        "comments"
    }

    fn catalogue(&self) -> &'static Catalogue {
        &CATALOGUE
    }

    fn tables(&self) -> &'static [Table] {
        &TABLES
    }

    fn generator(&self, dataset: &Dataset) -> Box<dyn Generator> {
        Box::new(Population::new(dataset))
    }

    fn properties(&self, dataset: &Dataset) -> Vec<Property> {
        population::properties(dataset)
    }

    /// Nobody logs in.
    fn accounts(&self, _: &Dataset) -> u64 {
        0
    }

    fn account(&self, number: u64) -> Account {
        Account { nickname: format!("nobody{number}"), password: String::new() }
    }

    fn static_files(&self) -> Vec<StaticFile> {
        let file = |(path, content_type, body): (&str, _, &[u8])| StaticFile {
            path: path.to_owned(),
            content_type,
            body: body.to_vec(),
        };
        let form = pages::form();
        FILES.into_iter().chain([("/comments/index.html", HTML, form.as_bytes())]).map(file).collect()
    }

    fn model(&self, dataset: &Dataset, _: TokenKey) -> Box<dyn Model> {
        Box::new(CommentsModel::new(dataset))
    }

    fn branches(&self, _: &Dataset, _: &TokenKey) -> Vec<Branch> {
        script::branches()
    }

    fn contention(&self, _: &Dataset, count: usize) -> Vec<Write> {
        script::contention(count)
    }
}

#[derive(Clone)]
struct CommentsModel {
    comments: Vec<Comment>,
    files: Vec<StaticFile>,
}

impl CommentsModel {
    fn new(dataset: &Dataset) -> Self {
        let population = Population::new(dataset);
        Self { comments: population.comments().collect(), files: COMMENTS.static_files() }
    }

    fn answer(&mut self, request: &Request) -> Result<Response, RequestFault> {
        if let Some(file) = application::file(&self.files, request) {
            return Ok(Response::from(file));
        }
        let form = Form::open(&CATALOGUE, request)?;
        let page = match form.interaction().name.as_str() {
            "StoreComment" => pages::store_comment(self.store(&form)?),
            "ListComments" => pages::list_comments(&self.comments),
            _ => return Err(RequestFault::UnknownPage),
        };
        Ok(Response { status: 200, content_type: HTML, body: page.into_bytes() })
    }

    fn store(&mut self, form: &Form<'_>) -> Result<&Comment, RequestFault> {
        let id = self.comments.len() as i64 + 1;
        let (name, email) = (form.text("name")?, form.email("email")?);
        let comment = form.text("comment")?;
        self.comments.push(Comment { id, name, email, comment });
        Ok(&self.comments[id as usize - 1])
    }
}

impl Model for CommentsModel {
    fn respond(&mut self, request: &Request, _: Timestamp) -> Response {
        self.answer(request).unwrap_or_else(|fault| Response {
            status: fault.status(),
            content_type: HTML,
            body: pages::error(&fault).into_bytes(),
        })
    }

    fn fork(&self) -> Box<dyn Model> {
        Box::new(self.clone())
    }

    fn rows(&self, table: &Table) -> Vec<Row> {
        match table.name {
            "comments" => self.comments.iter().map(Comment::row).collect(),
            _ => Vec::new(),
        }
    }

    fn fuzz(&self, random: &mut dyn rand::Rng, _: Timestamp) -> Step {
        fuzz::fuzz(random)
    }
}

#[cfg(test)]
mod tests;
