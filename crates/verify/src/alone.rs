//! Effects of each of many writes if no other is faster, by the model: the form that the bank gets, and the values that its page shows.
//! Others decide the ids and prices on such a page, but not the values by which its row is known.

use crate::{Subject, concurrency, document::HtmlDocument, lockstep};
use application::{Dataset, Parameters, Request, Response, TokenKey, Write};

/// A write as if it came first.
#[derive(Default)]
pub(crate) struct Alone {
    /// The form by which it asks the payment gateway; none if it asks for nothing.
    pub(crate) form: Option<String>,
    /// The values that were sent, that its row has in any case, and that its page shows, each as a text of its own.
    pub(crate) shows: Vec<String>,
}

/// The length of a value that tells its user's page from others.
const SHORTEST: usize = 3;

/// Each of these writes as if it came first, after the preparing ones.
pub(crate) fn of_each(subject: &Subject<'_>, dataset: &Dataset, writes: &[Write]) -> Vec<Alone> {
    let now = concurrency::now();
    let mut prepared = subject.application.model(dataset, subject.key.clone());
    for step in subject.application.preparation(dataset) {
        let sent = lockstep::written(&step, subject, now);
        prepared.converse(&sent.request, &sent.headers, now);
    }
    let asks_a_bank = subject.application.payment_rule().is_some();
    let mut all: Vec<Option<Alone>> = writes.iter().map(|_| None).collect();
    // A client that comes too late for a cart is the first in a later pass.
    loop {
        let mut model = prepared.fork();
        let mut is_over = true;
        for (write, alone) in writes.iter().zip(&mut all).filter(|(_, alone)| alone.is_none()) {
            let sent = lockstep::written(&write.step, subject, now);
            let page = model.converse(&sent.request, &sent.headers, now).0.response;
            let form = model.take_payments().pop().map(|payment| payment.form());
            if page.status < 400 || form.is_some() {
                let shows = shown(&sent.request, &page, &marks(write), &subject.key);
                (*alone, is_over) = (Some(Alone { form, shows }), false);
            }
        }
        if is_over || !asks_a_bank {
            return all.into_iter().map(Option::unwrap_or_default).collect();
        }
    }
}

/// The values that the row of a write has, whoever else writes. A bid is raised where another's most is higher.
fn marks(write: &Write) -> Vec<String> {
    write.mark.iter().map(|(_, value)| value.to_string()).collect()
}

/// The values of a form that are among its row's marks and that its page shows, each as a text of its own.
fn shown(form: &Request, page: &Response, marks: &[String], key: &TokenKey) -> Vec<String> {
    let document = HtmlDocument::parse(&page.body, key);
    let values = Parameters::decode(&form.body).texts().map(|(_, value)| value);
    let tells = |value: &String| {
        page.status < 400 && value.len() >= SHORTEST && marks.contains(value) && document.shows(value)
    };
    values.filter(tells).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_shows_values_as_texts_of_their_own() {
        let form =
            Request::new("POST", "/x", "bid=35.01&most=40.00&qty=1&note=a+%3Cb%3E++c&name=Your&id=350");
        let page = |status| Response {
            status,
            content_type: "text/html",
            body: b"<p>Your bid</p><dd> 35.01</dd><dd>1</dd><p>at 40.00</p><p>a &lt;b> c</p><i id=350>"
                .to_vec(),
        };
        let key = TokenKey::new("key");
        let marks = ["35.01", "40.00", "a <b>  c", "1"].map(ToOwned::to_owned);
        assert_eq!(shown(&form, &page(200), &marks, &key), ["35.01", "a <b>  c"]);
        assert_eq!(shown(&form, &page(200), &marks[1..], &key), ["a <b>  c"]);
        assert_eq!(shown(&form, &page(409), &marks, &key), Vec::<String>::new());
    }
}
