//! Validators that pages came with before a write: after it, they must not let a server leave the page out.

use crate::lockstep::ToSend;
use application::Step;
use engine::HttpResponse;
use std::collections::VecDeque;

/// The most pages that are remembered.
const MOST: usize = 100;

/// A page that came with a validator.
pub(crate) struct Validated {
    pub(crate) step: Step,
    pub(crate) to_model: ToSend,
    pub(crate) to_stack: ToSend,
    /// The conditions of a request by its validators.
    pub(crate) conditions: Vec<(&'static str, String)>,
    /// The model's page.
    pub(crate) page: Vec<u8>,
}

/// The latest pages that came with a validator.
#[derive(Default)]
pub(crate) struct Validators(VecDeque<Validated>);

impl Validators {
    /// Remembers a page; none without a validator.
    pub(crate) fn note(&mut self, step: &Step, sent: [&ToSend; 2], got: &HttpResponse, page: &[u8]) {
        let conditions = conditions(got);
        self.0.retain(|known| known.step != *step);
        if conditions.is_empty() || got.status != 200 {
            return;
        }
        if self.0.len() == MOST {
            self.0.pop_front();
        }
        let [to_model, to_stack] = sent.map(ToSend::clone);
        let (step, page) = (step.clone(), page.to_vec());
        self.0.push_back(Validated { step, to_model, to_stack, conditions, page });
    }

    /// Puts back what a write has not changed.
    pub(crate) fn keep(&mut self, known: Validated) {
        self.0.push_back(known);
    }

    /// Takes all of them.
    pub(crate) fn take(&mut self) -> VecDeque<Validated> {
        std::mem::take(&mut self.0)
    }
}

/// The conditions by the validators of an answer.
fn conditions(got: &HttpResponse) -> Vec<(&'static str, String)> {
    let by = |validator: &str, condition| Some((condition, got.header(validator)?));
    [by("etag", "If-None-Match"), by("last-modified", "If-Modified-Since")].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use application::Request;
    use engine::ResponseReader;

    #[test]
    fn pages_with_a_validator_are_remembered_once() {
        let mut known = Validators::default();
        let mut note = |path: &str, headers: &str| {
            let text = format!("HTTP/1.1 200 x\r\n{headers}Content-Length: 0\r\n\r\n");
            let got = ResponseReader::default().receive(text.as_bytes()).unwrap().unwrap();
            let sent = ToSend { request: Request::new("GET", path, ""), headers: Vec::new() };
            known.note(&Step::get(path, &[]), [&sent, &sent], &got, b"");
        };
        note("/a", "ETag: 1\r\n");
        note("/b", "");
        note("/a", "ETag: 2\r\nLast-Modified: x\r\n");
        (0..MOST).for_each(|number| note(&format!("/{number}"), "ETag: 1\r\n"));
        note("/7", "");
        let all = known.take();
        assert_eq!(all.len(), MOST - 1);
        assert!(all.iter().all(|page| !["/a", "/7"].contains(&page.step.path.as_str())));
        assert_eq!(all[0].conditions, [("If-None-Match", "1".to_owned())]);
    }
}
