//! A bank's payment gateway: it authorises card payments over TLS after a delay, and charges once for each reference,
//! however often it is requested.
//!
//! `POST /authorize` with the form fields `reference`, `number`, `expiry` and `amount` is answered by
//! `{"result":"approved","authorization":"…"}`, `{"result":"declined"}`, or nothing at all. The same reference with
//! another amount is decided again and replaces the earlier authorisation: a user may change a cart after the site
//! refused an authorised order. Invalid requests are refused (400). Each form is logged before it is answered, so that a
//! verification sees what was asked for.

use crate::{HEAD_LIMIT, accept, listening};
use application::{Authorization, Payment, PaymentRule, gateway_line};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{Method, Response, StatusCode, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use std::cell::RefCell;
use std::collections::HashMap;
use std::convert::Infallible;
use std::future::pending;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write as _};
use std::net::TcpListener;
use std::rc::Rc;
use std::time::Duration;
use tokio::{net::TcpStream, runtime, task::LocalSet};
use tokio_rustls::TlsAcceptor;

/// The longest body of a request, in bytes.
const BODY_LIMIT: usize = 4096;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Answer {
    Bank(Authorization),
    Refused,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Behaviour {
    pub delay: Duration,
    /// The share of payments (0 to 1) that it declines although the bank would approve them, selected by reference.
    pub declines: f64,
}

struct Ledger {
    rule: PaymentRule,
    behaviour: Behaviour,
    /// By reference: amount and authorization.
    charges: RefCell<HashMap<String, (String, String)>>,
}

/// Serves a bound listener until the process ends.
///
/// # Errors
/// Only if serving can't begin. A failing connection ends only itself.
pub fn serve(
    rule: PaymentRule,
    behaviour: Behaviour,
    listener: TcpListener,
    tls: &TlsAcceptor,
) -> io::Result<()> {
    let ledger = Rc::new(Ledger { rule, behaviour, charges: RefCell::default() });
    let runtime = runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
    LocalSet::new().block_on(&runtime, async {
        let listener = listening(listener)?;
        loop {
            tokio::task::spawn_local(converse(accept(&listener).await, tls.clone(), ledger.clone()));
        }
    })
}

/// Answers the requests of one connection. Errors concern only this connection.
async fn converse(stream: TcpStream, tls: TlsAcceptor, ledger: Rc<Ledger>) {
    let Ok(stream) = tls.accept(stream).await else { return };
    let answer = service_fn(|request| answer(request, &ledger));
    let _ =
        http1::Builder::new().max_buf_size(HEAD_LIMIT).serve_connection(TokioIo::new(stream), answer).await;
}

async fn answer(
    request: hyper::Request<Incoming>,
    ledger: &Ledger,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let (head, body) = request.into_parts();
    Ok(match (&head.method, head.uri.path()) {
        (&Method::POST, "/authorize") => match Limited::new(body, BODY_LIMIT).collect().await {
            Ok(body) => ledger.authorize(&body.to_bytes()).await,
            Err(_) => json(StatusCode::PAYLOAD_TOO_LARGE, r#"{"result":"malformed"}"#),
        },
        _ => json(StatusCode::NOT_FOUND, r#"{"result":"malformed"}"#),
    })
}

impl Ledger {
    async fn authorize(&self, form: &[u8]) -> Response<Full<Bytes>> {
        // A full disk must not keep anybody from paying.
        let _ = writeln!(io::stdout().lock(), "{}", gateway_line(form));
        tokio::time::sleep(self.behaviour.delay).await;
        match self.decide(form) {
            Answer::Bank(Authorization::Approved(number)) => {
                json(StatusCode::OK, &format!(r#"{{"result":"approved","authorization":"{number}"}}"#))
            }
            Answer::Bank(Authorization::Declined) => json(StatusCode::OK, r#"{"result":"declined"}"#),
            Answer::Refused => json(StatusCode::BAD_REQUEST, r#"{"result":"malformed"}"#),
            Answer::Bank(Authorization::TimesOut) => pending().await,
        }
    }

    fn decide(&self, form: &[u8]) -> Answer {
        let fields: HashMap<_, _> = form_urlencoded::parse(form).into_owned().collect();
        let field = |name: &str| fields.get(name).filter(|value| !value.is_empty()).cloned();
        let payment = || {
            Some(Payment {
                reference: field("reference")?,
                number: field("number")?,
                expiry: field("expiry")?,
                amount: field("amount")?,
            })
        };
        let Some(payment) = payment() else { return Answer::Refused };
        let mut charges = self.charges.borrow_mut();
        if let Some((amount, authorization)) = charges.get(&payment.reference)
            && *amount == payment.amount
        {
            return Answer::Bank(Authorization::Approved(authorization.clone()));
        }
        let answer = if share_of(&payment.reference) < self.behaviour.declines {
            Authorization::Declined
        } else {
            (self.rule)(&payment)
        };
        if let Authorization::Approved(number) = &answer {
            charges.insert(payment.reference, (payment.amount, number.clone()));
        }
        Answer::Bank(answer)
    }
}

/// A number from 0 to 1, derived from a reference.
fn share_of(reference: &str) -> f64 {
    let mut hasher = DefaultHasher::new();
    reference.hash(&mut hasher);
    hasher.finish() as f64 / u64::MAX as f64
}

fn json(status: StatusCode, text: &str) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::copy_from_slice(text.as_bytes())));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ledger(declines: f64) -> Ledger {
        let rule = |payment: &Payment| match payment.number.as_str() {
            "2" => Authorization::Declined,
            "9" => Authorization::TimesOut,
            _ => Authorization::Approved(format!("{}:{}", payment.reference, payment.amount)),
        };
        let behaviour = Behaviour { delay: Duration::ZERO, declines };
        Ledger { rule, behaviour, charges: RefCell::default() }
    }

    #[test]
    fn a_reference_is_charged_once_with_its_latest_amount() {
        let ledger = ledger(0.0);
        let approved = |text: &str| Answer::Bank(Authorization::Approved(text.into()));
        let first = ledger.decide(b"reference=7&number=1&expiry=2030-12&amount=12.50");
        assert_eq!(first, approved("7:12.50"));
        assert_eq!(ledger.decide(b"reference=7&number=2&expiry=2030-12&amount=12.50"), first);
        let declined = Answer::Bank(Authorization::Declined);
        assert_eq!(ledger.decide(b"reference=7&number=2&expiry=2030-12&amount=12.51"), declined);
        assert_eq!(ledger.decide(b"reference=7&number=1&expiry=2030-12&amount=12.51"), approved("7:12.51"));
        let charges = ledger.charges.borrow();
        let all: Vec<_> = charges.iter().collect();
        assert_eq!(all, [(&"7".to_owned(), &("12.51".to_owned(), "7:12.51".to_owned()))]);
    }

    #[test]
    fn declined_unanswered_and_malformed_requests_charge_nothing() {
        let ledger = ledger(0.0);
        assert_eq!(
            ledger.decide(b"reference=7&number=2&expiry=2030-12&amount=1.00"),
            Answer::Bank(Authorization::Declined)
        );
        assert_eq!(
            ledger.decide(b"reference=7&number=9&expiry=2030-12&amount=1.00"),
            Answer::Bank(Authorization::TimesOut)
        );
        assert_eq!(ledger.decide(b"reference=7&number=1&expiry=2030-12"), Answer::Refused);
        assert!(ledger.charges.borrow().is_empty());
    }

    #[test]
    fn a_share_of_payments_is_declined_whatever_the_card() {
        let ledger = ledger(0.25);
        let ask =
            |number| ledger.decide(format!("reference={number}&number=1&expiry=x&amount=1.00").as_bytes());
        let declined =
            (0..4000).filter(|number| ask(*number) == Answer::Bank(Authorization::Declined)).count();
        assert!((900..1100).contains(&declined), "{declined}");
    }
}
