//! Lapses that only broken or hostile clients can bring about: the verification judges them by safety.

use super::{Asked, Beside, parameters, reading, set_parameters};
use application::{Catalogue, Model, Parameters, Request, Response, Timestamp, TokenKey};
use std::collections::BTreeMap;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lapse {
    /// A broken escape leads to an internal error.
    Breaks,
    /// A second value of a parameter is shown unescaped.
    Echoes,
    /// A refused request has its effect nevertheless.
    Does,
    /// Several values are strung together.
    Joins,
    /// A refusal shows the key that signs log-in tokens.
    Tells,
    /// A refusal of a long body is sent twice, so that the connection is out of step. The server's lapse.
    Repeats,
    /// Another notation of a path is redirected to another site. The server's lapse.
    Misleads,
    /// A page depends on how it is asked for. The server's lapse.
    Depends(Asked),
    /// Something comes with each page. The server's lapse.
    Adds(Beside),
    /// Of two forms in flight together, both get the page of the later one. The server's lapse.
    Mixes,
    /// Of two forms in flight together, both have the later one's value of this parameter. The server's lapse.
    Swaps(&'static str),
}

/// All lapses: kind, name and description.
pub(super) const ALL: [(Lapse, &str, &str); 8] = [
    (Lapse::Breaks, "error", "a broken escape leads to status 500"),
    (Lapse::Echoes, "markup", "a second value of a parameter is shown unescaped where it is refused"),
    (Lapse::Does, "effect", "what other methods ask for is refused and done nevertheless"),
    (Lapse::Joins, "joined", "several values of a parameter are strung together"),
    (Lapse::Tells, "secret", "a refusal of other methods shows the key that signs log-in tokens"),
    (Lapse::Repeats, "step", "a refusal of a long body is sent twice"),
    (Lapse::Misleads, "redirect", "a doubled slash in a path is redirected to another site"),
    (Lapse::Mixes, "together", "of two forms in flight together, both get the page of the later one"),
];

impl Lapse {
    pub(super) fn answer(
        self,
        right: &mut Box<dyn Model>,
        request: &Request,
        key: &TokenKey,
        now: Timestamp,
    ) -> Response {
        let is_usual = request.method == "GET" || request.method == "POST";
        match self {
            Self::Breaks if parameters(request).contains("%zz") => {
                Response { status: 500, ..right.respond(request, now) }
            }
            Self::Echoes => {
                let response = right.respond(request, now);
                let second = values(request).into_values().find_map(|values| values.get(1).cloned());
                with_text(response, &second.unwrap_or_default())
            }
            Self::Does if !is_usual => {
                let mut asked =
                    Request { method: "POST".to_owned(), query: String::new(), ..request.clone() };
                asked.body = request.query.clone().into_bytes();
                right.respond(&asked, now);
                right.respond(request, now)
            }
            Self::Joins => {
                let mut read = request.clone();
                let pairs = values(request).into_iter();
                let joined = pairs
                    .filter(|(_, values)| values.len() > 1)
                    .map(|(name, values)| (name, values.concat()));
                for (name, value) in joined.collect::<Vec<_>>() {
                    let encoded = parameters(&read).to_owned();
                    let others =
                        encoded.split('&').filter(|pair| pair.split('=').next() != Some(name.as_str()));
                    let pair = format!("{name}={}", reading::encode(&value));
                    set_parameters(&mut read, reading::join(others.chain([pair.as_str()])));
                }
                right.respond(&read, now)
            }
            Self::Tells if !is_usual => with_text(right.respond(request, now), key.text()),
            _ => right.respond(request, now),
        }
    }
}

/// The lapses of an application whose requests carry a sealed number, such as that of a cart.
pub(super) fn of_sealed(catalogue: &'static Catalogue) -> Option<(Lapse, &'static str, &'static str)> {
    let mut parameters = catalogue.interactions().iter().flat_map(|interaction| &interaction.parameters);
    let sealed = parameters.find(|parameter| parameter.sealed)?;
    Some((
        Lapse::Swaps(&sealed.name),
        "sealed",
        "of two forms in flight together, both have the later one's sealed number",
    ))
}

/// A request with another one's value of this parameter, if both have one.
pub(crate) fn with_value_of(mut request: Request, other: &Request, name: &str) -> Request {
    let is_it = |pair: &&str| pair.split('=').next() == Some(name);
    let Some(theirs) = parameters(other).split('&').find(is_it) else { return request };
    let own = parameters(&request).to_owned();
    let swapped = own.split('&').map(|pair| if is_it(&pair) { theirs } else { pair });
    set_parameters(&mut request, reading::join(swapped));
    request
}

fn values(request: &Request) -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, value) in Parameters::decode(parameters(request).as_bytes()).texts() {
        all.entry(name).or_default().push(value);
    }
    all
}

/// The same refusal with some text on its page.
fn with_text(mut response: Response, text: &str) -> Response {
    if response.status >= 400 {
        response.body.extend_from_slice(text.as_bytes());
    }
    response
}

#[cfg(test)]
mod tests {
    use super::{
        super::tests::{ask, key, page, register, right, with},
        *,
    };

    #[test]
    fn a_request_takes_over_a_value_that_it_has_itself() {
        let form = |body: &str| Request {
            method: "POST".to_owned(),
            path: "/x".to_owned(),
            query: String::new(),
            body: body.into(),
        };
        let swapped = |own: &str, other: &str| with_value_of(form(own), &form(other), "cart").body;
        assert_eq!(swapped("a=1&cart=2", "cart=3&a=4"), b"a=1&cart=3");
        assert_eq!(swapped("a=1", "cart=3"), b"a=1");
        assert_eq!(swapped("cart=2", "a=4"), b"cart=2");
    }

    #[test]
    fn lapses_show_in_requests_of_hostile_clients_only() {
        let usual = "GET /auction/ViewItem itemId=1";
        for (fault, hostile) in [
            ("protocol.error", "GET /auction/ViewItem itemId=1%zz"),
            ("protocol.markup", "GET /auction/ViewItem itemId=1&itemId=%3Cb%3E"),
            ("protocol.joined", "GET /auction/ViewItem itemId=1&itemId=2"),
            ("protocol.secret", "PUT /auction/ViewItem itemId=1"),
        ] {
            assert_eq!(ask(&mut with(fault), usual), ask(&mut right(), usual), "{fault}");
            assert_ne!(ask(&mut with(fault), hostile), ask(&mut right(), hostile), "{fault}");
        }
        assert!(page(&ask(&mut with("protocol.secret"), "FOO /auction/x")).contains(key().text()));
    }

    #[test]
    fn what_is_refused_is_done_nevertheless() {
        let mut wrong = with("protocol.effect");
        assert_eq!(ask(&mut wrong, &register("somebody").replace("POST", "PUT")).status, 404);
        assert_eq!(ask(&mut wrong, &register("somebody")).status, 409);
    }
}
