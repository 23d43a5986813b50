//! Serves a model over HTTP: the reference against which stacks are verified, and the one stack that needs no
//! installation.
//!
//! It uses one thread, because a model handles one request at a time: it is a reference for answers, not for speed. It
//! can also be served with a planted fault, to test the verification: see [`faults`].

mod bank;
pub mod faults;
pub mod gateway;
mod stutter;
pub mod tls;

use application::{BODY_LIMIT, Header, Model, Payment, Request, Response, Timestamp};
pub use bank::Bank;
use faults::{Asked, Lapse};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::{
    Response as HttpResponse, Version,
    body::{Bytes, Incoming},
    header::{CONTENT_TYPE, HOST, HeaderValue, LOCATION, SET_COOKIE},
    http::{request::Parts, uri::Authority},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use std::{
    cell::RefCell,
    convert::Infallible,
    io,
    net::{SocketAddr, TcpListener},
    rc::Rc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};
use stutter::Stutter;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
    runtime,
    task::LocalSet,
};
use tokio_rustls::TlsAcceptor;

/// The pause after a failed accept, for example for lack of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// The longest head of a request, in bytes, as in common web servers.
const HEAD_LIMIT: usize = 16 * 1024;

/// A model that the connections of one thread share, and the bank that it pays with, if there is one.
#[derive(Clone)]
struct Shared {
    model: Rc<RefCell<Box<dyn Model>>>,
    bank: Option<Bank>,
}

impl Shared {
    /// Asks the bank for what the model has asked it for. The page waits, as a stack's does.
    async fn pay(&self, payments: Vec<Payment>) {
        let Some(bank) = &self.bank else { return };
        for payment in payments {
            let bank = bank.clone();
            // The model has answered for the bank, whatever comes of it.
            let _ = tokio::task::spawn_blocking(move || bank.ask(&payment)).await;
        }
    }
}

/// The TLS endpoint of a model.
pub struct Secure {
    pub listener: TcpListener,
    pub tls: TlsAcceptor,
    /// The paths that are served only over TLS: plain requests for them are redirected.
    pub paths: Vec<String>,
}

/// The pause in which forms meet, for a fault.
const MEETING: Duration = Duration::from_millis(3);

/// Redirects plain requests to TLS.
#[derive(Default)]
struct Redirects {
    /// The TLS address; none without redirects.
    to: Option<SocketAddr>,
    paths: Vec<String>,
    lapse: Option<Lapse>,
    /// The latest form, for a fault.
    latest: RefCell<Option<Request>>,
}

impl Redirects {
    /// The form that came last at the path of this one, after a while.
    async fn latest_with(&self, form: Request) -> Request {
        *self.latest.borrow_mut() = Some(form.clone());
        tokio::time::sleep(MEETING).await;
        let latest = self.latest.borrow().clone();
        latest.filter(|latest| latest.path == form.path).unwrap_or(form)
    }

    fn location(&self, head: &Parts) -> Option<String> {
        if self.lapse == Some(Lapse::Misleads) && head.uri.path().contains("//") {
            return Some("http://elsewhere.test/".to_owned());
        }
        let to = self.to.filter(|_| self.paths.iter().any(|path| path == head.uri.path()))?;
        let query = head.uri.query().map_or_else(String::new, |query| format!("?{query}"));
        Some(format!("https://{to}{}{query}", head.uri.path()))
    }
}

/// Serves a model on a bound listener, and over TLS on another if there is one, until the process ends. HTTP/1.1 with
/// persistent connections, and with a lapse of the server if one is planted.
///
/// # Errors
///
/// Only if serving can't begin. A failing connection ends only itself.
pub fn serve(
    model: Box<dyn Model>,
    listener: TcpListener,
    secure: Option<Secure>,
    lapse: Option<Lapse>,
) -> io::Result<()> {
    let model = Shared { model: Rc::new(RefCell::new(model)), bank: Bank::of_environment()? };
    let runtime = runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
    LocalSet::new().block_on(&runtime, async {
        let mut redirects = Redirects { lapse, ..Redirects::default() };
        if let Some(Secure { listener, tls, paths }) = secure {
            redirects = Redirects { to: Some(listener.local_addr()?), paths, ..redirects };
            tokio::task::spawn_local(serve_secure(listening(listener)?, tls, model.clone(), lapse));
        }
        let (listener, redirects) = (listening(listener)?, Rc::new(redirects));
        loop {
            let stream = accept(&listener).await;
            let (model, redirects) = (model.clone(), redirects.clone());
            if lapse == Some(Lapse::Repeats) {
                tokio::task::spawn_local(converse(Stutter::new(stream), model, redirects));
            } else {
                tokio::task::spawn_local(converse(stream, model, redirects));
            }
        }
    })
}

async fn serve_secure(
    listener: tokio::net::TcpListener,
    tls: TlsAcceptor,
    model: Shared,
    lapse: Option<Lapse>,
) {
    let nowhere = Rc::new(Redirects { lapse, ..Redirects::default() });
    loop {
        let (tls, model, nowhere) = (tls.clone(), model.clone(), nowhere.clone());
        let stream = accept(&listener).await;
        tokio::task::spawn_local(async move {
            if let Ok(stream) = tls.accept(stream).await {
                converse(stream, model, nowhere).await;
            }
        });
    }
}

fn listening(listener: TcpListener) -> io::Result<tokio::net::TcpListener> {
    listener.set_nonblocking(true)?;
    tokio::net::TcpListener::from_std(listener)
}

async fn accept(listener: &tokio::net::TcpListener) -> TcpStream {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                let _ = stream.set_nodelay(true);
                return stream;
            }
            Err(_) => tokio::time::sleep(ACCEPT_PAUSE).await,
        }
    }
}

/// Answers the requests of one connection. Errors concern only this connection: it was closed or is not HTTP.
async fn converse(
    stream: impl AsyncRead + AsyncWrite + Unpin + 'static,
    model: Shared,
    redirects: Rc<Redirects>,
) {
    let answer = service_fn(|request| answer(request, &model, &redirects));
    let _ =
        http1::Builder::new().max_buf_size(HEAD_LIMIT).serve_connection(TokioIo::new(stream), answer).await;
}

async fn answer(
    request: hyper::Request<Incoming>,
    model: &Shared,
    redirects: &Redirects,
) -> Result<HttpResponse<Full<Bytes>>, Infallible> {
    let (head, body) = request.into_parts();
    if !names_a_host(&head) {
        return Ok(sent(plain(400, "The request names no host.\n")));
    }
    if let Some(location) = redirects.location(&head) {
        let mut response = sent(plain(308, ""));
        // The target of a request is a valid `Location`.
        if let Ok(location) = location.try_into() {
            response.headers_mut().insert(LOCATION, location);
        }
        return Ok(response);
    }
    let body = match Limited::new(body, BODY_LIMIT).collect().await {
        Ok(body) => Ok(body.to_bytes().to_vec()),
        Err(error) if error.is::<LengthLimitError>() => Err(plain(413, "The request's body is too long.\n")),
        Err(_) => Err(plain(400, "The request's body is broken off.\n")),
    };
    let depends = match redirects.lapse {
        Some(Lapse::Depends(asked)) if asked.is_met(&head) => Some(asked),
        _ => None,
    };
    if let Some(Lapse::Adds(beside)) = redirects.lapse
        && beside.is_known(&head)
    {
        return Ok(sent(plain(304, "")));
    }
    if let Some(status) = depends.and_then(Asked::status) {
        return Ok(sent(plain(status, "")));
    }
    let request = body.map(|body| Request {
        method: head.method.as_str().to_owned(),
        path: head.uri.path().to_owned(),
        query: head.uri.query().unwrap_or_default().to_owned(),
        body,
    });
    let request = match (request, redirects.lapse) {
        (Ok(form), Some(Lapse::Mixes)) if form.method == "POST" => Ok(redirects.latest_with(form).await),
        (Ok(form), Some(Lapse::Swaps(name))) if form.method == "POST" => {
            let latest = redirects.latest_with(form.clone()).await;
            Ok(faults::with_value_of(form, &latest, name))
        }
        (request, _) => request,
    };
    let response = request.map(|request| {
        let headers = head.headers.iter().filter_map(|(name, value)| {
            Some(Header::new(name.as_str().to_owned(), value.to_str().ok()?.to_owned()))
        });
        let mut model = model.model.borrow_mut();
        let (answer, cookie) = model.converse(&request, &headers.collect::<Vec<_>>(), now());
        (answer.response, cookie, model.take_payments())
    });
    let (mut response, cookie, payments) = response.unwrap_or_else(|refusal| (refusal, None, Vec::new()));
    model.pay(payments).await;
    if depends.is_some() {
        response.body.extend_from_slice(b"<p>For you only.</p>");
    }
    let mut response = made(response);
    if let Some(cookie) = cookie.and_then(|cookie| HeaderValue::try_from(cookie).ok()) {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
    Ok(match redirects.lapse {
        Some(Lapse::Adds(beside)) => beside.add(head.uri.path(), response),
        _ => response.map(|body| Full::new(Bytes::from(body))),
    })
}

/// True if a request has a host, as HTTP/1.1 requires.
fn names_a_host(head: &Parts) -> bool {
    let mut hosts = head.headers.get_all(HOST).iter();
    let is_host = |host: &HeaderValue| host.to_str().is_ok_and(|host| host.parse::<Authority>().is_ok());
    match (hosts.next(), hosts.next()) {
        (Some(host), None) => is_host(host),
        (None, _) => head.version < Version::HTTP_11,
        (Some(_), Some(_)) => false,
    }
}

fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    Timestamp(since.map_or(0, |since| since.as_secs() as i64))
}

fn plain(status: u16, text: &str) -> Response {
    Response { status, content_type: "text/plain; charset=utf-8", body: text.as_bytes().to_vec() }
}

fn sent(response: Response) -> HttpResponse<Full<Bytes>> {
    made(response).map(|body| Full::new(Bytes::from(body)))
}

fn made(response: Response) -> HttpResponse<Vec<u8>> {
    HttpResponse::builder()
        .status(response.status)
        .header(CONTENT_TYPE, response.content_type)
        .body(response.body)
        .expect("models return statuses that HTTP has")
}
