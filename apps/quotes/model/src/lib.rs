//! Stock quotes and echoes by SOAP, as an executable specification.
//!
//! The operations are those of `static/StockQuoteService.wsdl`: document/literal, wrapped, in SOAP 1.1 and 1.2. An
//! answer has the version of its request. Beyond the WSDL:
//!
//! - A symbol is one to five letters from A to Z, an array has 1 to 100 structures, a list 1 to 10 nodes, a float is finite.
//! - A quote follows from its symbol alone: see `service.rs`. There is no database.
//! - What is no such message is answered by a fault that blames the client (`Client` in SOAP 1.1, `Sender` in 1.2): what is no
//!   well-formed XML, what declares a document type (and with it entities), an unknown operation or one of another
//!   namespace, a missing element, a value of another type, too many of something. What can't be told to be of one
//!   version, as what is no XML, is answered in SOAP 1.1. Whose fault an unknown operation is nobody specifies. An envelope
//!   of another namespace gets the fault `VersionMismatch`, a header that must be understood `MustUnderstand`.
//! - Not specified, and not asked for: elements below the operation's own that are of another namespace, in another order,
//!   twice there, or unknown. Engines ignore or refuse them.
//! - Faults have status 500; what they say in words is left open. SOAP 1.2 asks for status 400 where the sender is to blame,
//!   which few engines heed: both will do.
//! - An envelope may have a header, whatever is in it.
//! - `PlainQuote` takes whatever is posted and answers with the bytes of `quote.xml`.
//! - No path but those of interactions and files leads anywhere (404).

mod calls;
mod envelope;
mod script;
mod service;

use application::{
    Account, Answer, Application, Branch, Dataset, Generator, Habits, Header, InteractionId, Model, Request,
    RequestFault, Response, Row, StaticFile, Step, Table, Timestamp, TokenKey, Value, Write,
};
use calls::Callers;
use settings::Document;
use std::{ops::Range, sync::LazyLock};
use workload::Catalogue;

pub struct Quotes;

/// The web service, for the registry of applications.
pub static QUOTES: Quotes = Quotes;

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    let document = Document::new("apps/quotes/app.toml", include_str!("../../app.toml"));
    Catalogue::parse(&document).expect("app.toml is part of the program and tested")
});

/// The answer to one call, for a web server that sends a file, and for a program without a SOAP engine.
const QUOTE: &str = include_str!("../../static/quote.xml");

/// Files in `static/`: path, content type and bytes.
const FILES: [(&str, &str, &str); 2] = [
    ("/quotes/quote.xml", XML, QUOTE),
    ("/quotes/StockQuoteService.wsdl", XML, include_str!("../../static/StockQuoteService.wsdl")),
];

const XML: &str = "text/xml; charset=utf-8";

impl Application for Quotes {
    fn name(&self) -> &'static str {
        "quotes"
    }

    fn catalogue(&self) -> &'static Catalogue {
        &CATALOGUE
    }

    /// The operation's name is that of the only element in the body, whatever the size of the message.
    fn interaction(&self, request: &Request) -> Option<InteractionId> {
        let id = CATALOGUE.by_path(&request.path)?;
        if CATALOGUE.get(id).path != service::PATH {
            return Some(id);
        }
        let name = envelope::operation(&request.body)?;
        let (first, rest) = name.split_at_checked(1)?;
        CATALOGUE.by_name(&format!("{}{rest}", first.to_ascii_uppercase()))
    }

    fn tables(&self) -> &'static [Table] {
        &[]
    }

    fn generator(&self, _: &Dataset) -> Box<dyn Generator> {
        Box::new(NoRows)
    }

    /// Nobody logs in.
    fn accounts(&self, _: &Dataset) -> u64 {
        0
    }

    fn account(&self, number: u64) -> Account {
        Account { nickname: format!("nobody{number}"), password: String::new() }
    }

    fn habits(&self, _: &Dataset) -> Box<dyn Habits> {
        Box::new(Callers)
    }

    fn static_files(&self) -> Vec<StaticFile> {
        let file = |(path, content_type, body): (&str, _, &str)| StaticFile {
            path: path.to_owned(),
            content_type,
            body: body.as_bytes().to_vec(),
        };
        FILES.into_iter().map(file).collect()
    }

    fn model(&self, _: &Dataset, _: TokenKey) -> Box<dyn Model> {
        Box::new(QuotesModel { files: self.static_files() })
    }

    fn branches(&self, _: &Dataset, _: &TokenKey) -> Vec<Branch> {
        script::branches()
    }

    fn contention(&self, _: &Dataset, _: usize) -> Vec<Write> {
        Vec::new()
    }
}

/// The rows of an application that keeps none.
struct NoRows;

impl Generator for NoRows {
    fn units(&self, _: &Table) -> u64 {
        0
    }

    fn rows(&self, _: &Table, _: Range<u64>, _: &mut dyn FnMut(&[Value])) {}
}

#[derive(Clone)]
struct QuotesModel {
    files: Vec<StaticFile>,
}

impl Model for QuotesModel {
    fn respond(&mut self, request: &Request, now: Timestamp) -> Response {
        self.answer(request, &[], now).response
    }

    fn answer(&mut self, request: &Request, _: &[Header], _: Timestamp) -> Answer {
        if let Some(file) = application::file(&self.files, request) {
            return Response::from(file).into();
        }
        let interaction = CATALOGUE.by_path(&request.path).map(|id| CATALOGUE.get(id));
        let interaction = interaction.filter(|one| request.method == one.method.to_string());
        match interaction.map(|one| one.path.as_str()) {
            Some(service::PATH) => service::answer(&request.body),
            Some(_) => Response { status: 200, content_type: XML, body: QUOTE.into() }.into(),
            None => {
                let fault = RequestFault::UnknownPage;
                plain(fault.status(), &fault.to_string()).into()
            }
        }
    }

    fn fork(&self) -> Box<dyn Model> {
        Box::new(self.clone())
    }

    fn rows(&self, _: &Table) -> Vec<Row> {
        Vec::new()
    }

    fn fuzz(&self, random: &mut dyn rand::Rng, _: Timestamp) -> Step {
        script::fuzz(random)
    }
}

fn plain(status: u16, text: &str) -> Response {
    Response { status, content_type: "text/plain; charset=utf-8", body: format!("{text}\n").into_bytes() }
}

#[cfg(test)]
mod tests;
