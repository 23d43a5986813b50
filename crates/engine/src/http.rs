//! An HTTP/1.1 client without I/O: it encodes requests, and assembles responses from the pieces that arrive (RFC 9112).
//! It is strict where leniency would hide a broken server: a response of ambiguous length is refused.

use crate::target::Endpoint;
use flate2::bufread::MultiGzDecoder;
use std::io::Read;
use std::mem::{self, MaybeUninit};
use thiserror::Error;
use workload::{Header, Method};

/// Limit of the bytes of a status line with headers, or of a chunked body's trailers.
pub const MAX_HEAD: usize = 64 << 10;

/// Limit of the bytes of a body.
pub const MAX_BODY: usize = 16 << 20;

/// Limit of the bytes of a body that is discarded.
const MAX_COUNTED_BODY: usize = 1 << 30;

/// Limit of the bytes that are neither head nor body: heads before the final one, chunk extensions and trailers.
const MAX_ASIDE: usize = 1 << 20;

/// Limit of a chunk, so that its size can't overflow.
const LONGEST_CHUNK: u64 = 1 << 40;

/// Limit of the digits of a chunk's size: some servers write zeros before it.
const MAX_SIZE_DIGITS: u8 = 16;

const MAX_HEADERS: usize = 128;

const USER_AGENT: &str = concat!("tierbench/", env!("CARGO_PKG_VERSION"));

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum HttpError {
    #[error("the head of the response is malformed: {0}")]
    Head(httparse::Error),
    #[error("the head of the response is longer than {MAX_HEAD} bytes")]
    HeadTooLong,
    #[error("the body of the response is longer than {0} bytes")]
    BodyTooLong(usize),
    #[error("earlier heads, chunk extensions and trailers of the response are longer than {MAX_ASIDE} bytes")]
    AsideTooLong,
    #[error("the end of the body is unclear: {0}")]
    Framing(&'static str),
    #[error("the chunks of the body are malformed: {0}")]
    Chunk(&'static str),
    #[error("the body can't be decompressed: {0}")]
    Coding(&'static str),
    #[error("bytes came after the end of the response; a Content-Length may be too small")]
    Surplus,
    #[error("the connection was closed before the response was complete")]
    Incomplete,
    #[error("the frames of HTTP/2 are malformed: {0}")]
    Frames(&'static str),
    #[error("the headers of HTTP/2 are malformed: {0}")]
    Fields(&'static str),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpResponse {
    pub status: u16,
    /// The body, without transfer coding and decompressed.
    pub body: Vec<u8>,
    /// True if the connection can take another request.
    pub keeps_alive: bool,
    /// Bytes of the response as it was sent, head and chunk framing included.
    pub size: u64,
    head: Vec<u8>,
    /// Heads before the final one, chunk extensions and trailers; mostly empty.
    aside: Vec<u8>,
    sets_cookies: bool,
    /// The place of the value of `Content-Type` in the head.
    content_type: (u32, u32),
}

impl HttpResponse {
    /// The declared type of the body; empty if there is none.
    pub fn content_type(&self) -> &str {
        let (start, length) = self.content_type;
        let value = self.head.get(start as usize..(start + length) as usize);
        value.and_then(|value| std::str::from_utf8(value).ok()).unwrap_or_default()
    }

    /// All headers in order, as they were sent. Values that are not UTF-8 have U+FFFD in them.
    pub fn headers(&self) -> Vec<(String, String)> {
        let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
        let mut response = httparse::Response::new(&mut headers);
        // The head has been parsed before; it can't fail now.
        let _ = parser().parse_response(&mut response, &self.head);
        let owned = |header: &httparse::Header<'_>| {
            let value = String::from_utf8_lossy(header.value);
            let value = if value.contains('\n') { unfolded(&value) } else { value.into_owned() };
            (header.name.to_owned(), value)
        };
        response.headers.iter().map(owned).collect()
    }

    /// The first value of a header by its name in any case.
    pub fn header(&self, name: &str) -> Option<String> {
        self.headers().into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// All text beside the body: the head, and the heads before it, chunk extensions and trailers.
    pub fn beside_body(&self) -> [&[u8]; 2] {
        [&self.head, &self.aside]
    }

    /// The values of all `Set-Cookie` headers.
    pub fn cookies(&self) -> Vec<String> {
        if !self.sets_cookies {
            return Vec::new();
        }
        let cookies =
            |(name, value): (String, String)| name.eq_ignore_ascii_case("set-cookie").then_some(value);
        self.headers().into_iter().filter_map(cookies).collect()
    }

    /// True if a browser must fetch it again the next time.
    pub(crate) fn forbids_keeping(&self) -> bool {
        self.header("cache-control")
            .is_some_and(|value| value.contains("no-store") || value.contains("no-cache"))
    }
}

fn parser() -> httparse::ParserConfig {
    let mut parser = httparse::ParserConfig::default();
    parser.allow_obsolete_multiline_headers_in_responses(true);
    parser
}

/// The value of a header that goes on over lines (RFC 9112, 5.2).
fn unfolded(value: &str) -> String {
    value.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}

/// Buffers of a finished response. All clients share them, so that waiting clients hold none.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    head: Vec<u8>,
    body: Vec<u8>,
}

/// Larger buffers are freed.
const LARGEST_MEMORY: usize = 1 << 20;

impl From<HttpResponse> for Memory {
    fn from(response: HttpResponse) -> Self {
        let HttpResponse { mut head, mut body, .. } = response;
        if body.capacity() > LARGEST_MEMORY {
            body = Vec::new();
        }
        head.clear();
        body.clear();
        Self { head, body }
    }
}

/// A request to send, without cookies.
#[derive(Debug, Clone, Copy)]
pub struct Outgoing<'a> {
    pub method: Method,
    /// The path and the query, encoded.
    pub path_and_query: &'a str,
    /// Headers of its own, which replace those by default: HTML is accepted, and the body of a POST is a form.
    pub headers: &'a [Header],
    /// The body of a POST; empty for a GET.
    pub body: &'a [u8],
}

impl<'a> Outgoing<'a> {
    /// A browser's request: a form, or just an address.
    pub fn form(method: Method, path_and_query: &'a str, body: &'a str) -> Self {
        Self { method, path_and_query, headers: &[], body: body.as_bytes() }
    }
}

/// Appends the bytes of a request. Connections persist by default in HTTP/1.1, so that no `Connection` header is sent.
/// `cookies` is the value of the `Cookie` header, which is left out if empty.
pub fn encode(outgoing: &Outgoing<'_>, endpoint: &Endpoint, cookies: &str, bytes: &mut Vec<u8>) {
    let Outgoing { method, path_and_query, headers, body } = *outgoing;
    let mut put = |parts: &[&str]| parts.iter().for_each(|part| bytes.extend_from_slice(part.as_bytes()));
    let has = |name: &str| workload::header(headers, name).is_some();
    put(&[method.name(), " ", path_and_query, " HTTP/1.1\r\n"]);
    if !has(HOST) {
        put(&[HOST, ": ", &endpoint.host, "\r\n"]);
    }
    if !has(USER_AGENT_HEADER) {
        put(&[USER_AGENT_HEADER, ": ", USER_AGENT, "\r\n"]);
    }
    if !has(ACCEPT) {
        put(&[ACCEPT, ": text/html,*/*;q=0.8\r\n"]);
    }
    if endpoint.asks_for_gzip && !has(ACCEPT_ENCODING) {
        put(&[ACCEPT_ENCODING, ": gzip\r\n"]);
    }
    if !cookies.is_empty() && !has("Cookie") {
        put(&["Cookie: ", cookies, "\r\n"]);
    }
    headers.iter().for_each(|header| put(&[&header.name, ": ", &header.value, "\r\n"]));
    if method.has_body() || !body.is_empty() {
        if !has(CONTENT_TYPE) {
            put(&[CONTENT_TYPE, ": application/x-www-form-urlencoded\r\n"]);
        }
        put(&["Content-Length: ", &body.len().to_string(), "\r\n"]);
    }
    put(&["\r\n"]);
    bytes.extend_from_slice(body);
}

const HOST: &str = "Host";
const USER_AGENT_HEADER: &str = "User-Agent";
const ACCEPT: &str = "Accept";
const ACCEPT_ENCODING: &str = "Accept-Encoding";
const CONTENT_TYPE: &str = "Content-Type";

/// Assembles one response. Pass it the bytes as they come; when a response is complete, it is ready for the next one.
/// Replace it after an error or the end of the connection.
#[derive(Debug, Default)]
pub struct ResponseReader {
    state: ReaderState,
    head: Vec<u8>,
    aside: Vec<u8>,
    body: Vec<u8>,
    status: u16,
    keeps_alive: bool,
    sets_cookies: bool,
    content_type: (u32, u32),
    coding: Coding,
    size: u64,
    is_counting: bool,
    body_size: usize,
    /// True if it answers a HEAD, so that it has no body whatever its headers say.
    has_no_body: bool,
    /// True if frames say where it ends, as in HTTP/2.
    is_framed: bool,
    /// The length of a framed body by its headers.
    announced: Option<u64>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum ReaderState {
    #[default]
    Head,
    /// Missing bytes of the body.
    Sized(u64),
    /// In the line with a chunk's size: the size so far, and the position in the line.
    ChunkSize {
        size: u64,
        line: SizeLine,
    },
    /// Missing bytes of a chunk.
    ChunkData(u64),
    /// The line end after a chunk.
    ChunkEnd {
        after_return: bool,
    },
    /// In the trailers: bytes so far, and whether the current line has any.
    Trailers {
        size: usize,
        empty_line: bool,
    },
    /// The body lasts until the connection ends.
    UntilClose,
    Whole,
}

impl ReaderState {
    /// The length of a body that its headers announce.
    fn length(self) -> Option<u64> {
        match self {
            Self::Sized(length) => Some(length),
            Self::Whole => Some(0),
            _ => None,
        }
    }
}

/// The position in the line with a chunk's size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SizeLine {
    /// Before the first digit.
    Empty,
    Digits(u8),
    Extension,
    AfterReturn,
}

impl ResponseReader {
    /// A reader that checks the response but discards its body.
    pub(crate) fn counting() -> Self {
        Self { is_counting: true, ..Self::default() }
    }

    /// A reader of the response to a HEAD.
    pub(crate) fn to_head() -> Self {
        Self { has_no_body: true, ..Self::default() }
    }

    /// Lets frames say where the response ends: [`Self::framed_end`].
    pub(crate) fn framed(self) -> Self {
        Self { is_framed: true, ..self }
    }

    /// Reuses the buffers of an earlier response. Call it before the first byte of the next one.
    pub(crate) fn reuse(&mut self, memory: Memory) {
        (self.head, self.body) = (memory.head, memory.body);
    }

    /// Takes the next bytes. Returns the response if they complete it.
    pub fn receive(&mut self, mut bytes: &[u8]) -> Result<Option<HttpResponse>, HttpError> {
        self.size += bytes.len() as u64;
        while self.state != ReaderState::Whole {
            if bytes.is_empty() {
                return Ok(None);
            }
            let used = match self.state {
                ReaderState::Head => self.take_head(bytes)?,
                ReaderState::Sized(missing) => {
                    let (used, left) = self.take_body(bytes, missing)?;
                    self.state = if left == 0 { ReaderState::Whole } else { ReaderState::Sized(left) };
                    used
                }
                ReaderState::ChunkData(missing) => {
                    let (used, left) = self.take_body(bytes, missing)?;
                    self.state = if left == 0 {
                        ReaderState::ChunkEnd { after_return: false }
                    } else {
                        ReaderState::ChunkData(left)
                    };
                    used
                }
                ReaderState::UntilClose => self.take_body(bytes, u64::MAX)?.0,
                ReaderState::ChunkSize { size, line } => {
                    self.state = chunk_size(bytes[0], size, line)?;
                    if matches!(self.state, ReaderState::ChunkSize { line: SizeLine::Extension, .. }) {
                        self.set_aside(&bytes[..1])?;
                    }
                    1
                }
                ReaderState::ChunkEnd { after_return } => {
                    self.state = chunk_end(bytes[0], after_return)?;
                    1
                }
                ReaderState::Trailers { size, empty_line } => {
                    self.state = trailers(bytes[0], size, empty_line)?;
                    if !empty_line || !matches!(bytes[0], b'\r' | b'\n') {
                        self.set_aside(&bytes[..1])?;
                    }
                    1
                }
                ReaderState::Whole => 0,
            };
            bytes = &bytes[used..];
        }
        if bytes.is_empty() { self.complete().map(Some) } else { Err(HttpError::Surplus) }
    }

    /// Handles the end of the connection, which may be the end of the body.
    pub fn closed(&mut self) -> Result<HttpResponse, HttpError> {
        let is_whole = self.state == ReaderState::UntilClose && !self.is_framed;
        if is_whole { self.complete() } else { Err(HttpError::Incomplete) }
    }

    /// Handles the end of a framed response, whose frames had `size` bytes.
    pub(crate) fn framed_end(&mut self, size: u64) -> Result<HttpResponse, HttpError> {
        self.size = size;
        match self.announced {
            Some(length) if length != self.body_size as u64 => {
                Err(HttpError::Framing("Content-Length is not the length of the body"))
            }
            _ if self.state != ReaderState::UntilClose => Err(HttpError::Incomplete),
            _ => self.complete(),
        }
    }

    /// True if any byte of the response has arrived.
    pub fn has_begun(&self) -> bool {
        self.size > 0
    }

    fn complete(&mut self) -> Result<HttpResponse, HttpError> {
        let reader = mem::take(self);
        Ok(HttpResponse {
            status: reader.status,
            body: if reader.is_counting || reader.has_no_body {
                reader.body
            } else {
                reader.coding.undo(reader.body)?
            },
            keeps_alive: reader.keeps_alive,
            size: reader.size,
            head: reader.head,
            aside: reader.aside,
            sets_cookies: reader.sets_cookies,
            content_type: reader.content_type,
        })
    }

    fn set_aside(&mut self, bytes: &[u8]) -> Result<(), HttpError> {
        self.aside.extend_from_slice(bytes);
        if self.aside.len() > MAX_ASIDE { Err(HttpError::AsideTooLong) } else { Ok(()) }
    }

    /// Collects the head until it is complete, then parses it.
    fn take_head(&mut self, bytes: &[u8]) -> Result<usize, HttpError> {
        if self.head.is_empty()
            && let Some(end) = head_end(&bytes[..bytes.len().min(MAX_HEAD)])
        {
            self.head.extend_from_slice(&bytes[..end]);
            self.read_whole_head()?;
            return Ok(end);
        }
        // The end of the head may lie across two pieces.
        let before = self.head.len();
        let searched = before.saturating_sub(3);
        self.head.extend_from_slice(&bytes[..bytes.len().min(MAX_HEAD + 1 - before)]);
        let Some(end) = head_end(&self.head[searched..]) else {
            if self.head.len() > MAX_HEAD {
                return Err(HttpError::HeadTooLong);
            }
            return Ok(bytes.len());
        };
        self.head.truncate(searched + end);
        let used = self.head.len() - before;
        self.read_whole_head()?;
        Ok(used)
    }

    fn read_whole_head(&mut self) -> Result<(), HttpError> {
        if self.head.iter().all(|byte| matches!(byte, b'\r' | b'\n')) {
            return Err(HttpError::Head(httparse::Error::Status));
        }
        self.read_head()
    }

    fn read_head(&mut self) -> Result<(), HttpError> {
        // Initialising all of them would take longer than parsing the few that there are.
        let mut headers = [const { MaybeUninit::uninit() }; MAX_HEADERS];
        let mut response = httparse::Response::new(&mut []);
        let parsed = parser()
            .parse_response_with_uninit_headers(&mut response, &self.head, &mut headers)
            .map_err(HttpError::Head)?;
        let (true, Some(status)) = (parsed.is_complete(), response.code) else {
            return Err(HttpError::Head(httparse::Error::NewLine));
        };
        if (100..200).contains(&status) {
            let head = mem::take(&mut self.head);
            return match status {
                101 => Err(HttpError::Framing("a protocol switch that was not requested")),
                _ => self.set_aside(&head),
            };
        }
        let framing = Framing::of(response.headers)?;
        let content_type = framing.content_type.map(|value| {
            let start = value.as_ptr() as usize - self.head.as_ptr() as usize;
            (start as u32, value.len() as u32)
        });
        let persistent =
            if response.version == Some(1) { !framing.close } else { framing.keep_alive && !framing.close };
        self.status = status;
        self.sets_cookies = framing.sets_cookies;
        self.content_type = content_type.unwrap_or_default();
        self.coding = framing.coding;
        self.state = if self.has_no_body { ReaderState::Whole } else { framing.state(status) };
        self.keeps_alive = persistent && self.state != ReaderState::UntilClose;
        if let ReaderState::Sized(length) = self.state {
            if length > self.longest_body() as u64 {
                return Err(HttpError::BodyTooLong(self.longest_body()));
            }
            if !self.is_counting {
                self.body.reserve_exact(length as usize);
            }
        }
        if self.is_framed {
            (self.announced, self.keeps_alive) = (self.state.length(), true);
            self.state = ReaderState::UntilClose;
        }
        Ok(())
    }

    fn longest_body(&self) -> usize {
        if self.is_counting { MAX_COUNTED_BODY } else { MAX_BODY }
    }

    /// Takes at most `missing` bytes of body; returns the numbers of taken and of still missing bytes.
    fn take_body(&mut self, bytes: &[u8], missing: u64) -> Result<(usize, u64), HttpError> {
        let used = usize::try_from(missing).unwrap_or(usize::MAX).min(bytes.len());
        self.body_size += used;
        if self.body_size > self.longest_body() {
            return Err(HttpError::BodyTooLong(self.longest_body()));
        }
        if !self.is_counting {
            self.body.extend_from_slice(&bytes[..used]);
        }
        Ok((used, missing - used as u64))
    }
}

/// The length of a head, its first empty line included. Bare line feeds count as line ends.
fn head_end(bytes: &[u8]) -> Option<usize> {
    memchr::memchr_iter(b'\n', bytes).find_map(|at| match bytes[at + 1..] {
        [b'\n', ..] => Some(at + 2),
        [b'\r', b'\n', ..] => Some(at + 3),
        _ => None,
    })
}

/// The end of the body, the persistence of the connection, and the compression, by the headers.
#[derive(Default)]
struct Framing<'h> {
    length: Option<u64>,
    chunked: bool,
    close: bool,
    keep_alive: bool,
    sets_cookies: bool,
    content_type: Option<&'h [u8]>,
    coding: Coding,
}

impl<'h> Framing<'h> {
    fn of(headers: &[httparse::Header<'h>]) -> Result<Self, HttpError> {
        let mut framing = Self::default();
        for header in headers {
            let is = |name: &str| header.name.eq_ignore_ascii_case(name);
            if is("content-length") {
                framing.add_lengths(header.value)?;
            } else if is("transfer-encoding") {
                framing.add_transfer_coding(header.value)?;
            } else if is("content-encoding") {
                tokens(header.value).for_each(|token| framing.coding.add(token));
            } else if is("connection") {
                for token in tokens(header.value) {
                    framing.close |= token.eq_ignore_ascii_case(b"close");
                    framing.keep_alive |= token.eq_ignore_ascii_case(b"keep-alive");
                }
            } else if is("content-type") {
                framing.content_type = Some(header.value);
            } else if is("set-cookie") {
                framing.sets_cookies = true;
            }
        }
        if framing.chunked && framing.length.is_some() {
            return Err(HttpError::Framing("both Content-Length and Transfer-Encoding are given"));
        }
        Ok(framing)
    }

    fn add_lengths(&mut self, value: &[u8]) -> Result<(), HttpError> {
        for token in value.split(|byte| *byte == b',').map(<[u8]>::trim_ascii) {
            let digits = !token.is_empty() && token.iter().all(u8::is_ascii_digit);
            let text = std::str::from_utf8(token).ok().filter(|_| digits);
            let length = text.and_then(|text| text.parse().ok());
            let length = length.ok_or(HttpError::Framing("Content-Length is not a number"))?;
            if self.length.replace(length).is_some_and(|other| other != length) {
                return Err(HttpError::Framing("two different Content-Length are given"));
            }
        }
        Ok(())
    }

    fn add_transfer_coding(&mut self, value: &[u8]) -> Result<(), HttpError> {
        for token in tokens(value) {
            if self.chunked || !token.eq_ignore_ascii_case(b"chunked") {
                return Err(HttpError::Framing("Transfer-Encoding is not just `chunked`"));
            }
            self.chunked = true;
        }
        Ok(())
    }

    fn state(&self, status: u16) -> ReaderState {
        match self.length {
            _ if status == 204 || status == 304 => ReaderState::Whole,
            _ if self.chunked => ReaderState::ChunkSize { size: 0, line: SizeLine::Empty },
            Some(0) => ReaderState::Whole,
            Some(length) => ReaderState::Sized(length),
            None => ReaderState::UntilClose,
        }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Coding {
    #[default]
    Identity,
    Gzip,
    /// A coding that was not asked for.
    Other,
}

impl Coding {
    /// Adds a token of `Content-Encoding`.
    fn add(&mut self, token: &[u8]) {
        let is = |name: &str| token.eq_ignore_ascii_case(name.as_bytes());
        *self = match *self {
            unchanged if is("identity") => unchanged,
            Self::Identity if is("gzip") || is("x-gzip") => Self::Gzip,
            _ => Self::Other,
        };
    }

    fn undo(self, body: Vec<u8>) -> Result<Vec<u8>, HttpError> {
        match self {
            _ if body.is_empty() => Ok(body),
            Self::Identity => Ok(body),
            Self::Gzip => decompressed(&body),
            Self::Other => Err(HttpError::Coding("it is not gzip, the only one that is asked for")),
        }
    }
}

/// A few bytes may expand to very many: the limit is that of a body.
fn decompressed(body: &[u8]) -> Result<Vec<u8>, HttpError> {
    let mut text = Vec::new();
    let read = MultiGzDecoder::new(body).take(MAX_BODY as u64 + 1).read_to_end(&mut text);
    read.map_err(|_| HttpError::Coding("it is no complete gzip"))?;
    if text.len() > MAX_BODY { Err(HttpError::BodyTooLong(MAX_BODY)) } else { Ok(text) }
}

fn tokens(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    value.split(|byte| *byte == b',').map(<[u8]>::trim_ascii).filter(|token| !token.is_empty())
}

/// The next state within the line with a chunk's size.
fn chunk_size(byte: u8, size: u64, line: SizeLine) -> Result<ReaderState, HttpError> {
    let digit = char::from(byte).to_digit(16);
    let digits = match line {
        SizeLine::Empty => Some(0),
        SizeLine::Digits(digits) => Some(digits),
        SizeLine::Extension | SizeLine::AfterReturn => None,
    };
    if let Some((digit, digits)) = digit.zip(digits) {
        let size = size * 16 + u64::from(digit);
        return match digits < MAX_SIZE_DIGITS {
            _ if size > LONGEST_CHUNK => Err(HttpError::BodyTooLong(MAX_BODY)),
            true => Ok(ReaderState::ChunkSize { size, line: SizeLine::Digits(digits + 1) }),
            false => Err(HttpError::Chunk("a chunk size has more than 16 digits")),
        };
    }
    let line = match (line, byte) {
        (SizeLine::Digits(_) | SizeLine::Extension | SizeLine::AfterReturn, b'\n') => {
            return Ok(if size == 0 {
                ReaderState::Trailers { size: 0, empty_line: true }
            } else {
                ReaderState::ChunkData(size)
            });
        }
        (SizeLine::Digits(_) | SizeLine::Extension, b'\r') => SizeLine::AfterReturn,
        (SizeLine::Digits(_), b';' | b' ' | b'\t') | (SizeLine::Extension, _) => SizeLine::Extension,
        _ => return Err(HttpError::Chunk("a chunk size is not hexadecimal")),
    };
    Ok(ReaderState::ChunkSize { size, line })
}

fn chunk_end(byte: u8, after_return: bool) -> Result<ReaderState, HttpError> {
    match byte {
        b'\n' => Ok(ReaderState::ChunkSize { size: 0, line: SizeLine::Empty }),
        b'\r' if !after_return => Ok(ReaderState::ChunkEnd { after_return: true }),
        _ => Err(HttpError::Chunk("a chunk is longer than its size")),
    }
}

fn trailers(byte: u8, size: usize, empty_line: bool) -> Result<ReaderState, HttpError> {
    match byte {
        b'\n' if empty_line => Ok(ReaderState::Whole),
        _ if size >= MAX_HEAD => Err(HttpError::HeadTooLong),
        b'\n' => Ok(ReaderState::Trailers { size: size + 1, empty_line: true }),
        b'\r' => Ok(ReaderState::Trailers { size: size + 1, empty_line }),
        _ => Ok(ReaderState::Trailers { size: size + 1, empty_line: false }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use proptest::prelude::*;
    use std::io::Write;

    fn endpoint(asks_for_gzip: bool) -> Endpoint {
        Endpoint { address: ([127, 0, 0, 1], 1).into(), host: "h:1".to_owned(), asks_for_gzip }
    }

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn read(bytes: &[u8]) -> Result<Option<HttpResponse>, HttpError> {
        ResponseReader::default().receive(bytes)
    }

    fn page(bytes: &[u8]) -> HttpResponse {
        read(bytes).unwrap().expect("the response is whole")
    }

    #[test]
    fn own_headers_replace_those_by_default() {
        let names = ["host", "User-Agent", "ACCEPT", "Cookie", "content-type"];
        let headers = names.map(|name| Header::new(name, "mine"));
        let outgoing = Outgoing { method: Method::Put, path_and_query: "/", headers: &headers, body: b"x" };
        let mut bytes = Vec::new();
        encode(&outgoing, &endpoint(false), "a=1", &mut bytes);
        let lines =
            "host: mine\r\nUser-Agent: mine\r\nACCEPT: mine\r\nCookie: mine\r\ncontent-type: mine\r\n";
        let expected = format!("PUT / HTTP/1.1\r\n{lines}Content-Length: 1\r\n\r\nx");
        assert_eq!(String::from_utf8(bytes).unwrap(), expected);
    }

    #[test]
    fn folded_headers_are_unfolded_and_counted_bodies_may_be_long() {
        let folded =
            page(b"HTTP/1.1 200 OK\r\nX: a\r\n  b\r\nContent-Type: text/html\r\nContent-Length: 1\r\n\r\nx");
        assert_eq!((folded.header("x").unwrap().as_str(), folded.content_type()), ("a b", "text/html"));
        let length = MAX_BODY + 1;
        let mut large = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n").into_bytes();
        large.resize(large.len() + length, b'x');
        let counted = ResponseReader::counting().receive(&large).unwrap().unwrap();
        assert_eq!((counted.size, counted.body.len()), (large.len() as u64, 0));
        assert_eq!(read(&large), Err(HttpError::BodyTooLong(MAX_BODY)));
    }

    #[test]
    fn writes_requests() {
        let mut bytes = Vec::new();
        encode(&Outgoing::form(Method::Get, "/a?b=1", ""), &endpoint(false), "", &mut bytes);
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.starts_with("GET /a?b=1 HTTP/1.1\r\nHost: h:1\r\nUser-Agent: tierbench/"), "{text}");
        assert!(text.ends_with("\r\n\r\n") && !text.contains("Content-") && !text.contains("gzip"), "{text}");
        let mut bytes = Vec::new();
        encode(&Outgoing::form(Method::Post, "/a", "x=%C3%A4"), &endpoint(true), "", &mut bytes);
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.contains("\r\nAccept-Encoding: gzip\r\n"), "{text}");
        assert!(text.contains("\r\nContent-Length: 8\r\n") && text.ends_with("\r\n\r\nx=%C3%A4"), "{text}");
    }

    #[test]
    fn parses_each_way_to_end_a_body() {
        let sized = page(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Y: z\r\n\r\nhello");
        assert_eq!(
            (sized.status, sized.body.as_slice(), sized.keeps_alive),
            (200, b"hello".as_slice(), true)
        );
        assert_eq!(sized.header("x-y").as_deref(), Some("z"));
        let chunked = page(
            b"HTTP/1.1 404 No\r\nTransfer-Encoding: chunked\r\n\r\n5;a=\"b\"\r\nhello\r\nA\r\n, world!!!\r\n0\r\nT: 1\r\n\r\n",
        );
        assert_eq!((chunked.status, chunked.body.as_slice()), (404, b"hello, world!!!".as_slice()));
        assert!(chunked.keeps_alive);
        let mut reader = ResponseReader::default();
        assert_eq!(reader.receive(b"HTTP/1.1 200 OK\r\n\r\nto the e").unwrap(), None);
        assert_eq!(reader.receive(b"nd").unwrap(), None);
        let until_close = reader.closed().unwrap();
        assert_eq!((until_close.body.as_slice(), until_close.keeps_alive), (b"to the end".as_slice(), false));
        assert!(page(b"HTTP/1.1 204 No Content\r\n\r\n").body.is_empty());
        assert!(page(b"HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n").body.is_empty());
        let after_continue =
            page(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx");
        assert_eq!((after_continue.status, after_continue.body.as_slice()), (200, b"x".as_slice()));
    }

    #[test]
    fn compressed_bodies_are_decompressed_where_they_are_kept() {
        let text = b"<a href='/'>x</a>".repeat(100);
        let answer = |codings: &str, body: &[u8]| {
            let head = format!("HTTP/1.1 200 OK\r\nContent-Encoding: {codings}\r\n");
            [format!("{head}Content-Length: {}\r\n\r\n", body.len()).as_bytes(), body].concat()
        };
        let compressed = gzip(&text);
        for codings in ["gzip", "x-GZIP", "identity, gzip"] {
            let whole = page(&answer(codings, &compressed));
            assert_eq!((&whole.body, whole.size), (&text, answer(codings, &compressed).len() as u64));
        }
        assert_eq!(
            page(&answer("gzip", &[compressed.clone(), compressed.clone()].concat())).body.len(),
            2 * text.len()
        );
        assert_eq!(page(&answer("gzip", b"")).body, b"");
        let mut damaged = compressed.clone();
        damaged[30] ^= 1;
        let bomb = gzip(&vec![0; MAX_BODY + 1]);
        for (codings, body, fault) in [
            ("br", &*compressed, "not gzip"),
            ("gzip, gzip", &compressed, "not gzip"),
            ("gzip", &damaged, "no complete gzip"),
            ("gzip", &compressed[..compressed.len() - 1], "no complete gzip"),
            ("gzip", &bomb, "longer than 16777216"),
        ] {
            let error = read(&answer(codings, body)).expect_err(codings);
            assert!(error.to_string().contains(fault), "{error} is not about {fault}");
            let counted = ResponseReader::counting().receive(&answer(codings, body)).unwrap();
            assert!(counted.is_some(), "what is only counted is not read");
        }
    }

    /// The fault of a reader that gets `piece` again and again after `start`.
    fn fault_of_endless(mut reader: ResponseReader, start: &str, piece: &[u8]) -> HttpError {
        const ENOUGH: usize = MAX_COUNTED_BODY + (64 << 20);
        let pieces = piece.repeat(((1 << 20) / piece.len()).max(1));
        reader.receive(start.as_bytes()).unwrap();
        let faults = (0..ENOUGH / pieces.len()).find_map(|_| reader.receive(&pieces).err());
        faults.expect("endless answers are refused")
    }

    #[test]
    fn nothing_of_an_answer_is_endless() {
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        for (start, piece, expected) in [
            ("", "HTTP/1.1 103 Early Hints\r\n\r\n", HttpError::AsideTooLong),
            (chunked, "1\r\nx\r\n", HttpError::BodyTooLong(MAX_BODY)),
            (chunked, "1;e\r\nx\r\n", HttpError::AsideTooLong),
            (&format!("{chunked}1"), "; ", HttpError::AsideTooLong),
            (chunked, "0", HttpError::Chunk("a chunk size has more than 16 digits")),
            (&format!("{chunked}0\r\n"), "T: 1\r\n", HttpError::HeadTooLong),
            ("HTTP/1.1 200 OK\r\n\r\n", "x", HttpError::BodyTooLong(MAX_BODY)),
        ] {
            assert_eq!(
                fault_of_endless(ResponseReader::default(), start, piece.as_bytes()),
                expected,
                "{piece}"
            );
        }
        let endless =
            fault_of_endless(ResponseReader::counting(), "HTTP/1.1 200 OK\r\n\r\n", &[b'x'; 1 << 20]);
        assert_eq!(endless, HttpError::BodyTooLong(MAX_COUNTED_BODY));
    }

    #[test]
    fn text_beside_the_body_is_kept() {
        let start = "HTTP/1.1 103 Early\r\nA: hint\r\n\r\nHTTP/1.1 200 OK\r\nB: head\r\nTransfer-Encoding: chunked\r\n\r\n";
        let [head, aside] = page(format!("{start}1;c=extension\r\nx\r\n0\r\nD: trailer\r\n\r\n").as_bytes())
            .beside_body()
            .map(|text| String::from_utf8(text.to_vec()).unwrap());
        assert!(head.contains("B: head"), "{head}");
        for text in ["A: hint", ";c=extension", "D: trailer"] {
            assert!(aside.contains(text), "{aside}");
        }
        assert_eq!(
            page(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n")
                .aside
                .capacity(),
            0
        );
    }

    #[test]
    fn knows_whether_the_connection_persists() {
        let alive = |head: &str| page(format!("{head}\r\nContent-Length: 0\r\n\r\n").as_bytes()).keeps_alive;
        assert!(alive("HTTP/1.1 200 OK"));
        assert!(!alive("HTTP/1.1 200 OK\r\nConnection: foo, Close"));
        assert!(!alive("HTTP/1.0 200 OK"));
        assert!(alive("HTTP/1.0 200 OK\r\nConnection: Keep-Alive"));
    }

    #[test]
    fn refuses_malformed_ambiguous_and_oversized_responses() {
        let long = format!("HTTP/1.1 200 OK\r\nX: {}\r\n\r\n", "x".repeat(MAX_HEAD));
        let large = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", MAX_BODY + 1);
        let chunk = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        for (bytes, error) in [
            ("SSH-2.0-OpenSSH\r\n\r\n".to_owned(), "malformed"),
            ("\r\n\r\n".to_owned(), "malformed"),
            (long, "longer than 65536"),
            (large, "longer than 16777216"),
            (
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab".to_owned(),
                "two different",
            ),
            ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n".to_owned(), "not a number"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n".to_owned(), "both"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n".to_owned(), "just `chunked`"),
            (format!("{chunk}x"), "not hexadecimal"),
            (format!("{chunk}\r\n"), "not hexadecimal"),
            (format!("{chunk}1\r\nab"), "longer than its size"),
            (format!("{chunk}fffffffffffffffffffff"), "longer than 16777216"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nab".to_owned(), "after the end"),
            ("HTTP/1.1 101 Switching\r\n\r\n".to_owned(), "not requested"),
        ] {
            let found = read(bytes.as_bytes()).expect_err(&bytes);
            assert!(found.to_string().contains(error), "{found} is not about {error}");
        }
        let mut reader = ResponseReader::default();
        assert_eq!(reader.receive(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab").unwrap(), None);
        assert_eq!(reader.closed(), Err(HttpError::Incomplete));
    }

    /// A response as a server may send it, with its status and body.
    fn response() -> impl Strategy<Value = (Vec<u8>, u16, Vec<u8>)> {
        let chunks = prop::collection::vec(prop::collection::vec(any::<u8>(), 1..40), 0..6);
        let statuses = prop::sample::select(vec![200_u16, 404, 409, 500]);
        (statuses, chunks, any::<bool>(), any::<bool>(), 0..3_usize).prop_map(
            |(status, mut chunks, chunked, compressed, continues)| {
                let mut bytes = b"HTTP/1.1 100 Continue\r\n\r\n".repeat(continues);
                bytes.extend(format!("HTTP/1.1 {status} Reason\r\nServer: x\r\n").bytes());
                let body = chunks.concat();
                let mut sent = body.clone();
                if compressed {
                    bytes.extend(b"Content-Encoding: gzip\r\n");
                    sent = gzip(&body);
                    chunks = sent.chunks(40).map(<[u8]>::to_vec).collect();
                }
                if chunked {
                    bytes.extend(b"Transfer-Encoding: chunked\r\n\r\n");
                    for chunk in &chunks {
                        bytes.extend(format!("{:x}\r\n", chunk.len()).bytes());
                        bytes.extend(chunk);
                        bytes.extend(b"\r\n");
                    }
                    bytes.extend(b"0\r\nTrailer: 1\r\n\r\n");
                } else {
                    bytes.extend(format!("Content-Length: {}\r\n\r\n", sent.len()).bytes());
                    bytes.extend(&sent);
                }
                (bytes, status, body)
            },
        )
    }

    fn in_pieces(bytes: &[u8], cuts: &[prop::sample::Index]) -> Result<Option<HttpResponse>, HttpError> {
        let mut cuts: Vec<_> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        cuts.sort_unstable();
        cuts.push(bytes.len());
        let mut reader = ResponseReader::default();
        let mut whole = None;
        let mut from = 0;
        for to in cuts {
            if whole.is_some() && to > from {
                return Err(HttpError::Surplus);
            }
            if let Some(response) = reader.receive(&bytes[from..to])? {
                whole = Some(response);
            }
            from = to;
        }
        Ok(whole)
    }

    proptest! {
        #[test]
        fn any_splitting_gives_the_same_response(
            (bytes, status, body) in response(),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..20),
        ) {
            let whole = page(&bytes);
            prop_assert_eq!(whole.status, status);
            prop_assert_eq!(&whole.body, &body);
            prop_assert_eq!(whole.size, bytes.len() as u64);
            prop_assert_eq!(in_pieces(&bytes, &cuts).unwrap(), Some(whole));
        }

        #[test]
        fn damaged_responses_parse_the_same_in_pieces(
            (mut bytes, _, _) in response(),
            damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..20),
        ) {
            for (at, byte) in damage {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            prop_assert_eq!(in_pieces(&bytes, &cuts), read(&bytes));
        }

        #[test]
        fn arbitrary_bytes_cause_no_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = read(&bytes);
            let _ = ResponseReader::default().receive(&[b"HTTP/1.1 200 OK\r\n", bytes.as_slice()].concat());
        }
    }
}
