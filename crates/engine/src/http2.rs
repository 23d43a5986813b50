//! A browser's connection that speaks HTTP/2, without I/O (RFC 9113). It puts requests into frames, and takes frames apart
//! into the pieces of answers as HTTP/1.1 would send them: one reader holds both to the same rules.

mod fields;
mod huffman;

use crate::http::{HttpError, MAX_HEAD};
use fields::{BlockKind, FieldDecoder, FieldEncoder};
use memchr::{memchr_iter, memmem};
use std::collections::VecDeque;
use std::ops::RangeInclusive;
use std::{fmt, io, mem};

/// The name of HTTP/2 over TLS where protocols are agreed on.
pub(crate) const ALPN: &[u8] = b"h2";

/// The error of a server that agrees on no HTTP/2.
pub(crate) fn not_spoken() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the server does not speak HTTP/2")
}

/// The first bytes of a connection.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

const FRAME_HEADER: usize = 9;

/// Limit of a frame's payload, as long as a peer announces no other one.
const LONGEST_FRAME: usize = 16 << 10;

/// The window of a stream or connection, as long as its peer announces no other one.
const FIRST_WINDOW: i64 = 65_535;

/// The largest window. It holds every answer that is read, so that the windows of streams need no updates.
const LARGEST_WINDOW: u32 = i32::MAX as u32;

/// Bytes of content after which the connection's window is opened again.
const UPDATE_AFTER: u32 = 1 << 20;

/// Limit of consecutive frames that belong to no answer.
const MOST_IDLE_FRAMES: u32 = 10_000;

/// The bytes of a setting.
const SETTING: usize = 6;

/// The bytes of a frame's obsolete priority.
const PRIORITY: usize = 5;

/// The bits of a number that a bit without meaning precedes.
const BITS_31: u32 = u32::MAX >> 1;

/// The sizes of frames that a peer may announce.
const FRAME_SIZES: RangeInclusive<usize> = LONGEST_FRAME..=(1 << 24) - 1;

mod kind {
    pub const DATA: u8 = 0;
    pub const HEADERS: u8 = 1;
    pub const RST_STREAM: u8 = 3;
    pub const SETTINGS: u8 = 4;
    pub const PUSH_PROMISE: u8 = 5;
    pub const PING: u8 = 6;
    pub const GOAWAY: u8 = 7;
    pub const WINDOW_UPDATE: u8 = 8;
    pub const CONTINUATION: u8 = 9;
}

mod flag {
    pub const END_STREAM: u8 = 1;
    pub const ACK: u8 = 1;
    pub const END_HEADERS: u8 = 4;
    pub const PADDED: u8 = 8;
    pub const PRIORITY: u8 = 0x20;
}

mod setting {
    pub const HEADER_TABLE_SIZE: u16 = 1;
    pub const ENABLE_PUSH: u16 = 2;
    pub const MAX_CONCURRENT_STREAMS: u16 = 3;
    pub const INITIAL_WINDOW_SIZE: u16 = 4;
    pub const MAX_FRAME_SIZE: u16 = 5;
}

mod code {
    pub const PROTOCOL_ERROR: u32 = 1;
    pub const REFUSED_STREAM: u32 = 7;
    pub const CANCEL: u32 = 8;
}

/// A piece of the answer that a slot awaits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    /// Bytes as HTTP/1.1 would send them: a head, or content. If they are the last, `size` is that of all frames of the answer.
    Bytes { size: Option<u64> },
    /// The server has given the request up.
    Reset {
        /// True if it has certainly not begun with it, so that it may be sent again.
        is_untouched: bool,
    },
    /// The answer breaks a rule. Others on the connection are not concerned.
    Fault(HttpError),
}

/// A connection. After each call, write what [`Self::take_output`] returns.
pub(crate) struct Http2 {
    encoder: FieldEncoder,
    decoder: FieldDecoder,
    /// Bytes that have come.
    input: Vec<u8>,
    /// How many of them are read.
    read: usize,
    output: Vec<u8>,
    streams: Vec<Stream>,
    /// Requests beyond the server's limit of streams.
    queue: VecDeque<Queued>,
    next_id: u32,
    peer: Peer,
    /// The content that the server takes on all streams, in bytes.
    window: i64,
    /// The content that has come since the connection's window was opened, in bytes.
    received: u32,
    /// A block of fields that the next frame goes on with, and the frame with which it began.
    block: Option<(Frame, Vec<u8>)>,
    idle_frames: u32,
    /// The last stream that the server still answers, once it takes no more.
    last_id: Option<u32>,
}

impl fmt::Debug for Http2 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Http2").field("waiting", &self.waiting()).finish_non_exhaustive()
    }
}

/// A request whose answer is awaited.
struct Stream {
    id: u32,
    slot: usize,
    /// The request's content, and how much of it the windows have let through.
    content: Vec<u8>,
    sent: usize,
    window: i64,
    /// The bytes of the answer's frames so far.
    size: u64,
    has_head: bool,
}

impl Stream {
    fn unsent(&self) -> &[u8] {
        &self.content[self.sent..]
    }
}

/// A request that is not sent yet.
struct Queued {
    slot: usize,
    request: Vec<u8>,
}

/// The server's settings.
struct Peer {
    /// The window of a new stream.
    first_window: i64,
    longest_frame: usize,
    most_streams: usize,
}

#[derive(Debug, Clone, Copy)]
struct Frame {
    length: usize,
    kind: u8,
    flags: u8,
    id: u32,
}

impl Frame {
    fn parse(header: &[u8]) -> Self {
        let number = |bytes: &[u8]| bytes.iter().fold(0, |number, byte| number << 8 | u32::from(*byte));
        Self {
            length: number(&header[..3]) as usize,
            kind: header[3],
            flags: header[4],
            id: number(&header[5..FRAME_HEADER]) & BITS_31,
        }
    }

    fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    fn size(&self) -> u64 {
        (FRAME_HEADER + self.length) as u64
    }

    /// True if its length and stream are possible.
    fn is_possible(&self) -> bool {
        match self.kind {
            kind::SETTINGS => self.id == 0 && self.length.is_multiple_of(SETTING),
            kind::PING => self.id == 0 && self.length == 8,
            kind::GOAWAY => self.id == 0 && self.length >= 8,
            kind::RST_STREAM => self.id != 0 && self.length == 4,
            kind::WINDOW_UPDATE => self.length == 4,
            _ => true,
        }
    }
}

fn put_frame(kind: u8, flags: u8, id: u32, payload: &[u8], output: &mut Vec<u8>) {
    output.extend_from_slice(&(payload.len() as u32).to_be_bytes()[1..]);
    output.extend([kind, flags]);
    output.extend(id.to_be_bytes());
    output.extend_from_slice(payload);
}

/// A frame whose payload is a number.
fn put_number(kind: u8, id: u32, number: u32, output: &mut Vec<u8>) {
    put_frame(kind, 0, id, &number.to_be_bytes(), output);
}

fn setting_bytes((name, value): (u16, u32)) -> [u8; SETTING] {
    let ([a, b], [c, d, e, f]) = (name.to_be_bytes(), value.to_be_bytes());
    [a, b, c, d, e, f]
}

impl Default for Http2 {
    /// A new connection, which begins with its preface.
    fn default() -> Self {
        let mut output = PREFACE.to_vec();
        let settings =
            [(setting::ENABLE_PUSH, 0), (setting::INITIAL_WINDOW_SIZE, LARGEST_WINDOW)].map(setting_bytes);
        put_frame(kind::SETTINGS, 0, 0, &settings.concat(), &mut output);
        put_number(kind::WINDOW_UPDATE, 0, LARGEST_WINDOW - FIRST_WINDOW as u32, &mut output);
        Self {
            encoder: FieldEncoder::default(),
            decoder: FieldDecoder::default(),
            input: Vec::new(),
            read: 0,
            output,
            streams: Vec::new(),
            queue: VecDeque::new(),
            next_id: 1,
            peer: Peer { first_window: FIRST_WINDOW, longest_frame: LONGEST_FRAME, most_streams: usize::MAX },
            window: FIRST_WINDOW,
            received: 0,
            block: None,
            idle_frames: 0,
            last_id: None,
        }
    }
}

impl Http2 {
    /// The bytes to write.
    pub fn take_output(&mut self) -> Vec<u8> {
        mem::take(&mut self.output)
    }

    /// True if it takes no more requests: the server is about to close it.
    pub fn is_ending(&self) -> bool {
        self.last_id.is_some()
    }

    /// The slots that await an answer.
    pub fn waiting(&self) -> Vec<usize> {
        self.streams.iter().map(|stream| stream.slot).collect()
    }

    /// The slots whose request is not sent yet.
    pub fn queued(&self) -> Vec<usize> {
        self.queue.iter().map(|queued| queued.slot).collect()
    }

    /// True if no answer is due any more.
    pub fn is_idle(&self) -> bool {
        self.streams.is_empty() && self.queue.is_empty()
    }

    /// Sends a slot's request, which is given in the bytes of HTTP/1.1. Returns false if they are none.
    pub fn send(&mut self, slot: usize, request: &[u8]) -> bool {
        if self.streams.len() >= self.peer.most_streams {
            self.queue.push_back(Queued { slot, request: request.to_vec() });
            return true;
        }
        let Some((block, content)) = self.encode(request) else { return false };
        let id = self.next_id;
        self.next_id += 2;
        if self.next_id > BITS_31 {
            // There are no more numbers.
            self.last_id.get_or_insert(BITS_31);
        }
        self.put_block(id, &block, content.is_empty());
        let (content, window) = (content.to_vec(), self.peer.first_window);
        self.streams.push(Stream { id, slot, content, sent: 0, window, size: 0, has_head: false });
        self.send_content();
        true
    }

    /// Gives up a slot's request.
    pub fn cancel(&mut self, slot: usize) {
        self.queue.retain(|queued| queued.slot != slot);
        if let Some(at) = self.streams.iter().position(|stream| stream.slot == slot) {
            let id = self.streams.swap_remove(at).id;
            put_number(kind::RST_STREAM, id, code::CANCEL, &mut self.output);
            self.send_queued();
        }
    }

    /// The field block of a request, and its content.
    fn encode<'r>(&mut self, request: &'r [u8]) -> Option<(Vec<u8>, &'r [u8])> {
        // A request may have any number of headers, as in HTTP/1.1.
        let lines = memchr_iter(b'\n', &request[..memmem::find(request, b"\r\n\r\n")?]).count();
        let mut headers = vec![httparse::EMPTY_HEADER; lines];
        let mut parsed = httparse::Request::new(&mut headers);
        let httparse::Status::Complete(length) = parsed.parse(request).ok()? else { return None };
        let is_host = |header: &httparse::Header<'_>| header.name.eq_ignore_ascii_case("host");
        let host = parsed.headers.iter().find(|header| is_host(header));
        let host = host.map(|host| String::from_utf8_lossy(host.value)).unwrap_or_default();
        let mut block = Vec::new();
        let mut put = |name: &str, value: &str| self.encoder.encode(name, value, &mut block);
        put(":method", parsed.method.unwrap_or_default());
        put(":scheme", "https");
        put(":authority", &host);
        put(":path", parsed.path.unwrap_or_default());
        for header in parsed.headers.iter().filter(|header| !is_host(header)) {
            let name = header.name.to_ascii_lowercase();
            if !fields::is_of_http1(name.as_bytes()) {
                put(&name, &String::from_utf8_lossy(header.value));
            }
        }
        Some((block, &request[length..]))
    }

    fn put_block(&mut self, id: u32, block: &[u8], is_end: bool) {
        let mut pieces = block.chunks(self.peer.longest_frame).peekable();
        let (mut kind, mut flags) = (kind::HEADERS, if is_end { flag::END_STREAM } else { 0 });
        while let Some(piece) = pieces.next() {
            flags |= if pieces.peek().is_none() { flag::END_HEADERS } else { 0 };
            put_frame(kind, flags, id, piece, &mut self.output);
            (kind, flags) = (kind::CONTINUATION, 0);
        }
    }

    /// Sends as much content as the server takes.
    fn send_content(&mut self) {
        for stream in &mut self.streams {
            while !stream.unsent().is_empty() {
                let allowed = self.window.min(stream.window).max(0) as usize;
                let length = stream.unsent().len().min(allowed).min(self.peer.longest_frame);
                if length == 0 {
                    break;
                }
                let flags = if length == stream.unsent().len() { flag::END_STREAM } else { 0 };
                put_frame(kind::DATA, flags, stream.id, &stream.unsent()[..length], &mut self.output);
                stream.sent += length;
                stream.window -= length as i64;
                self.window -= length as i64;
            }
        }
    }

    /// Sends requests that waited until others were answered.
    fn send_queued(&mut self) {
        while self.streams.len() < self.peer.most_streams
            && let Some(Queued { slot, request }) = self.queue.pop_front()
        {
            self.send(slot, &request);
        }
    }

    /// Takes bytes that have come; [`Self::next_part`] reads them.
    pub fn receive(&mut self, bytes: &[u8]) {
        self.input.drain(..mem::take(&mut self.read));
        self.input.extend_from_slice(bytes);
    }

    /// The next piece of an answer, with its slot; none until more bytes have come. `buffer` takes its bytes.
    ///
    /// # Errors
    /// The server breaks the rules of HTTP/2, so that the connection can't be used any more.
    pub fn next_part(&mut self, buffer: &mut Vec<u8>) -> Result<Option<(usize, Part)>, HttpError> {
        let input = mem::take(&mut self.input);
        let part = self.read_part(&input, buffer);
        self.input = input;
        part
    }

    fn read_part(&mut self, input: &[u8], buffer: &mut Vec<u8>) -> Result<Option<(usize, Part)>, HttpError> {
        loop {
            if let Some(untouched) = self.next_untouched() {
                return Ok(Some(untouched));
            }
            let Some((frame, payload)) = next_frame(&input[self.read..])? else { return Ok(None) };
            self.read += FRAME_HEADER + frame.length;
            if let Some(part) = self.take_frame(frame, payload, buffer)? {
                self.idle_frames = 0;
                return Ok(Some(part));
            }
            self.idle_frames += 1;
            if self.idle_frames > MOST_IDLE_FRAMES {
                return Err(HttpError::Frames("too many belong to no answer"));
            }
        }
    }

    fn take_frame(
        &mut self,
        frame: Frame,
        payload: &[u8],
        buffer: &mut Vec<u8>,
    ) -> Result<Option<(usize, Part)>, HttpError> {
        if let Some((first, _)) = &self.block
            && (frame.kind, frame.id) != (kind::CONTINUATION, first.id)
        {
            return Err(HttpError::Frames("one interrupts a block of fields"));
        }
        if !frame.is_possible() {
            return Err(HttpError::Frames("one has a wrong length or stream"));
        }
        match frame.kind {
            kind::DATA => self.take_content(frame, payload, buffer),
            kind::HEADERS => {
                let fields = without_padding(frame, payload)?;
                let skipped = if frame.has(flag::PRIORITY) { PRIORITY } else { 0 };
                let fields = fields.get(skipped..).ok_or(HttpError::Frames("one is too short"))?;
                self.take_fields(frame, frame, fields, buffer)
            }
            kind::CONTINUATION => {
                let first = self.block.as_ref().map(|block| block.0);
                let first = first.ok_or(HttpError::Frames("one continues nothing"))?;
                self.take_fields(first, frame, payload, buffer)
            }
            kind::RST_STREAM => Ok(self.reset(frame.id, number(payload)?)),
            kind::SETTINGS => self.settings(frame, payload).map(|()| None),
            kind::PUSH_PROMISE => Err(HttpError::Frames("one pushes, which was declined")),
            kind::PING => {
                if !frame.has(flag::ACK) {
                    put_frame(kind::PING, flag::ACK, 0, payload, &mut self.output);
                }
                Ok(None)
            }
            kind::GOAWAY => {
                // It may be told again, with more that is not answered.
                self.last_id = Some(self.last_id.unwrap_or(BITS_31).min(number(payload)? & BITS_31));
                Ok(None)
            }
            kind::WINDOW_UPDATE => self.open_window(frame.id, number(payload)? & BITS_31),
            // Unknown kinds are to be ignored (RFC 9113, 5.5).
            _ => Ok(None),
        }
    }

    /// Takes content of an answer.
    fn take_content(
        &mut self,
        frame: Frame,
        payload: &[u8],
        buffer: &mut Vec<u8>,
    ) -> Result<Option<(usize, Part)>, HttpError> {
        self.received += frame.length as u32;
        if self.received >= UPDATE_AFTER {
            put_number(kind::WINDOW_UPDATE, 0, mem::take(&mut self.received), &mut self.output);
        }
        let content = without_padding(frame, payload)?;
        let Some(stream) = self.stream(frame)? else { return Ok(None) };
        if !stream.has_head {
            return Ok(self.fault(frame.id, HttpError::Frames("content comes before its head")));
        }
        let is_end = frame.has(flag::END_STREAM);
        if content.is_empty() && !is_end {
            // It belongs to an answer that it does not bring forward.
            stream.size += frame.size();
            return Ok(None);
        }
        buffer.clear();
        buffer.extend_from_slice(content);
        Ok(self.part(frame, is_end))
    }

    /// Takes fields: all of a block, or a piece of it. `first` is the frame with which the block began.
    fn take_fields(
        &mut self,
        first: Frame,
        frame: Frame,
        fields: &[u8],
        buffer: &mut Vec<u8>,
    ) -> Result<Option<(usize, Part)>, HttpError> {
        let (_, mut block) = self.block.take().unwrap_or((first, Vec::new()));
        block.extend_from_slice(fields);
        if block.len() > MAX_HEAD {
            return Err(HttpError::HeadTooLong);
        }
        if let Some(stream) = self.stream(frame)? {
            // The first one of a block is counted with its part.
            stream.size += if frame.kind == kind::HEADERS { 0 } else { frame.size() };
        }
        if !frame.has(flag::END_HEADERS) {
            self.block = Some((first, block));
            return Ok(None);
        }
        // Each block may change the table, even if nobody awaits it any more.
        let has_head = self.stream(first)?.is_some_and(|stream| stream.has_head);
        let decoded = fields::decode(&mut self.decoder, &block, has_head, buffer)?;
        let Some(stream) = self.stream(first)? else { return Ok(None) };
        let is_end = first.has(flag::END_STREAM);
        let fault = match decoded {
            Ok(BlockKind::Early) if is_end => HttpError::Frames("an answer ends before its head"),
            Ok(BlockKind::Trailers) if !is_end => HttpError::Frames("trailers are not at the end"),
            Ok(kind) => {
                stream.has_head |= kind == BlockKind::Final;
                return Ok(self.part(first, is_end));
            }
            Err(fault) => fault,
        };
        Ok(self.fault(first.id, fault))
    }

    /// The bytes in the buffer, as a part of an answer.
    fn part(&mut self, frame: Frame, is_end: bool) -> Option<(usize, Part)> {
        let at = self.streams.iter().position(|stream| stream.id == frame.id)?;
        let stream = &mut self.streams[at];
        stream.size += frame.size();
        let (slot, size) = (stream.slot, stream.size);
        if !is_end {
            return Some((slot, Part::Bytes { size: None }));
        }
        let stream = self.streams.swap_remove(at);
        if !stream.unsent().is_empty() {
            // It has answered before it had read all of the request, and does not want the rest.
            put_number(kind::RST_STREAM, stream.id, code::CANCEL, &mut self.output);
        }
        self.send_queued();
        Some((slot, Part::Bytes { size: Some(size) }))
    }

    fn reset(&mut self, id: u32, why: u32) -> Option<(usize, Part)> {
        let Stream { slot, has_head, .. } = self.end(id)?;
        Some((slot, Part::Reset { is_untouched: why == code::REFUSED_STREAM && !has_head }))
    }

    /// Gives up an answer that breaks a rule.
    fn fault(&mut self, id: u32, fault: HttpError) -> Option<(usize, Part)> {
        let slot = self.end(id)?.slot;
        put_number(kind::RST_STREAM, id, code::PROTOCOL_ERROR, &mut self.output);
        Some((slot, Part::Fault(fault)))
    }

    /// Takes a stream off, for which there was an end.
    fn end(&mut self, id: u32) -> Option<Stream> {
        let at = self.streams.iter().position(|stream| stream.id == id)?;
        let stream = self.streams.swap_remove(at);
        self.send_queued();
        Some(stream)
    }

    /// A request that the server won't answer any more, since it takes none.
    fn next_untouched(&mut self) -> Option<(usize, Part)> {
        let last = self.last_id?;
        if let Some(queued) = self.queue.pop_front() {
            return Some((queued.slot, Part::Reset { is_untouched: true }));
        }
        let beyond = self.streams.iter().position(|stream| stream.id > last)?;
        let Stream { slot, has_head, .. } = self.streams.swap_remove(beyond);
        Some((slot, Part::Reset { is_untouched: !has_head }))
    }

    fn settings(&mut self, frame: Frame, payload: &[u8]) -> Result<(), HttpError> {
        if frame.has(flag::ACK) {
            return Ok(());
        }
        for setting in payload.chunks_exact(SETTING) {
            let name = u16::from_be_bytes([setting[0], setting[1]]);
            self.set(name, number(&setting[2..])?)?;
        }
        put_frame(kind::SETTINGS, flag::ACK, 0, &[], &mut self.output);
        self.send_content();
        self.send_queued();
        Ok(())
    }

    fn set(&mut self, name: u16, value: u32) -> Result<(), HttpError> {
        match name {
            setting::HEADER_TABLE_SIZE => self.encoder.set_table_size(value as usize),
            setting::MAX_CONCURRENT_STREAMS => self.peer.most_streams = value as usize,
            setting::INITIAL_WINDOW_SIZE => {
                let more = i64::from(value) - self.peer.first_window;
                self.peer.first_window += more;
                self.streams.iter_mut().for_each(|stream| stream.window += more);
                let mut windows =
                    self.streams.iter().map(|stream| stream.window).chain([self.peer.first_window]);
                if windows.any(is_too_large) {
                    return Err(TOO_LARGE);
                }
            }
            setting::MAX_FRAME_SIZE if !FRAME_SIZES.contains(&(value as usize)) => {
                return Err(HttpError::Frames("none may be as long as a setting says"));
            }
            setting::MAX_FRAME_SIZE => self.peer.longest_frame = value as usize,
            _ => {}
        }
        Ok(())
    }

    fn open_window(&mut self, id: u32, more: u32) -> Result<Option<(usize, Part)>, HttpError> {
        let window = match self.streams.iter_mut().find(|stream| stream.id == id) {
            Some(stream) => &mut stream.window,
            None if id == 0 => &mut self.window,
            None => return Ok(None),
        };
        *window += i64::from(more);
        let fault = match *window {
            _ if more == 0 => HttpError::Frames("one opens a window by nothing"),
            window if is_too_large(window) => TOO_LARGE,
            _ => {
                self.send_content();
                return Ok(None);
            }
        };
        if id == 0 { Err(fault) } else { Ok(self.fault(id, fault)) }
    }

    /// The request that a frame belongs to; none if nobody awaits its answer any more.
    fn stream(&mut self, frame: Frame) -> Result<Option<&mut Stream>, HttpError> {
        if frame.id >= self.next_id || frame.id.is_multiple_of(2) {
            return Err(HttpError::Frames("one answers a request that was never sent"));
        }
        Ok(self.streams.iter_mut().find(|stream| stream.id == frame.id))
    }
}

const TOO_LARGE: HttpError = HttpError::Frames("a window is too large");

fn is_too_large(window: i64) -> bool {
    window > i64::from(LARGEST_WINDOW)
}

/// The first frame, if it is whole.
fn next_frame(input: &[u8]) -> Result<Option<(Frame, &[u8])>, HttpError> {
    let Some((header, rest)) = input.split_at_checked(FRAME_HEADER) else { return Ok(None) };
    let frame = Frame::parse(header);
    if frame.length > LONGEST_FRAME {
        return Err(HttpError::Frames("one is longer than 16384 bytes"));
    }
    Ok(rest.get(..frame.length).map(|payload| (frame, payload)))
}

/// The content of a frame that may be padded.
fn without_padding(frame: Frame, payload: &[u8]) -> Result<&[u8], HttpError> {
    if !frame.has(flag::PADDED) {
        return Ok(payload);
    }
    let split = payload.split_first();
    let content =
        split.and_then(|(padding, rest)| rest.get(..rest.len().checked_sub(usize::from(*padding))?));
    content.ok_or(HttpError::Frames("one has more padding than bytes"))
}

/// The number with which a payload begins.
fn number(payload: &[u8]) -> Result<u32, HttpError> {
    let bytes = payload.first_chunk().ok_or(HttpError::Frames("one is too short"))?;
    Ok(u32::from_be_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::ResponseReader;

    const GET: &[u8] = b"GET /a?b=c HTTP/1.1\r\nHost: site:1\r\nUser-Agent: x\r\n\r\n";
    const STATUS: (&str, &str) = (":status", "200");
    const TEXT: (&str, &str) = ("content-type", "text/html");

    /// The server's side of a connection.
    #[derive(Default)]
    struct Server {
        encoder: FieldEncoder,
        frames: Vec<u8>,
    }

    impl Server {
        fn frame(mut self, kind: u8, flags: u8, id: u32, payload: &[u8]) -> Self {
            put_frame(kind, flags, id, payload, &mut self.frames);
            self
        }

        fn block(&mut self, fields: &[(&str, &str)]) -> Vec<u8> {
            let mut block = Vec::new();
            fields.iter().for_each(|(name, value)| self.encoder.encode(name, value, &mut block));
            block
        }

        fn head(mut self, flags: u8, id: u32, fields: &[(&str, &str)]) -> Self {
            let block = self.block(fields);
            self.frame(kind::HEADERS, flags | flag::END_HEADERS, id, &block)
        }

        fn number(self, kind: u8, id: u32, number: u32) -> Self {
            self.frame(kind, 0, id, &number.to_be_bytes())
        }

        fn setting(self, name: u16, value: u32) -> Self {
            self.frame(kind::SETTINGS, 0, 0, &setting_bytes((name, value)))
        }
    }

    /// A connection with a request of each of these slots.
    fn asked(slots: &[usize], request: &[u8]) -> Http2 {
        let mut http2 = Http2::default();
        assert!(slots.iter().all(|slot| http2.send(*slot, request)));
        http2
    }

    /// All parts with their bytes, however the frames are cut.
    fn parts(http2: &mut Http2, frames: &[u8], cut: usize) -> Result<Vec<(usize, Part, Vec<u8>)>, HttpError> {
        let (mut found, mut buffer) = (Vec::new(), Vec::new());
        for piece in frames.chunks(cut) {
            http2.receive(piece);
            while let Some((slot, part)) = http2.next_part(&mut buffer)? {
                let bytes = if matches!(part, Part::Bytes { .. }) { buffer.clone() } else { Vec::new() };
                found.push((slot, part, bytes));
            }
        }
        Ok(found)
    }

    /// The kinds of the frames that were sent, with their streams and flags.
    fn sent(mut bytes: &[u8]) -> Vec<(u8, u32, u8, usize)> {
        bytes = bytes.strip_prefix(PREFACE).unwrap_or(bytes);
        let mut frames = Vec::new();
        while let Some((frame, _)) = next_frame(bytes).unwrap() {
            frames.push((frame.kind, frame.id, frame.flags, frame.length));
            bytes = &bytes[FRAME_HEADER + frame.length..];
        }
        assert!(bytes.is_empty());
        frames
    }

    #[test]
    fn answers_come_in_any_order_and_in_any_pieces() {
        let server = Server::default()
            .setting(setting::MAX_CONCURRENT_STREAMS, 128)
            .head(0, 3, &[STATUS, TEXT, ("content-length", "5")])
            .head(0, 1, &[STATUS, TEXT])
            .frame(kind::DATA, 0, 3, b"he")
            .frame(kind::DATA, flag::END_STREAM, 1, b"first")
            .frame(kind::DATA, flag::PADDED | flag::END_STREAM, 3, b"\x02llo..");
        for cut in [1, 7, 9, 1000] {
            let mut http2 = asked(&[4, 9], GET);
            let mut readers = [ResponseReader::default().framed(), ResponseReader::default().framed()];
            let mut whole = Vec::new();
            for (slot, part, bytes) in parts(&mut http2, &server.frames, cut).unwrap() {
                let reader = &mut readers[usize::from(slot == 9)];
                assert_eq!(reader.receive(&bytes), Ok(None));
                if let Part::Bytes { size: Some(size) } = part {
                    whole.push((slot, reader.framed_end(size).unwrap()));
                }
            }
            let (slots, answers): (Vec<_>, Vec<_>) = whole.into_iter().unzip();
            assert_eq!(slots, [4, 9]);
            assert_eq!((&answers[0].body[..], &answers[1].body[..]), (&b"first"[..], &b"hello"[..]));
            assert!(answers.iter().all(|answer| answer.keeps_alive && answer.content_type() == "text/html"));
            assert_eq!(answers[1].status, 200);
            assert!(http2.is_idle());
        }
    }

    #[test]
    fn an_answer_that_is_not_as_long_as_it_says_is_refused() {
        for (length, content) in [("5", &b"four"[..]), ("3", b"four"), ("0", b"four")] {
            let server = Server::default().head(0, 1, &[STATUS, ("content-length", length)]).frame(
                kind::DATA,
                flag::END_STREAM,
                1,
                content,
            );
            let mut reader = ResponseReader::default().framed();
            for (_, _, bytes) in parts(&mut asked(&[0], GET), &server.frames, 1000).unwrap() {
                reader.receive(&bytes).unwrap();
            }
            assert!(matches!(reader.framed_end(50), Err(HttpError::Framing(_))), "{length}");
        }
    }

    #[test]
    fn heads_before_the_final_one_and_trailers_belong_to_an_answer() {
        let server = Server::default()
            .head(0, 1, &[(":status", "103"), ("link", "</a.css>")])
            .head(0, 1, &[STATUS])
            .frame(kind::DATA, 0, 1, b"x")
            .head(flag::END_STREAM, 1, &[("x-sum", "1")]);
        let mut reader = ResponseReader::default().framed();
        let mut size = None;
        for (_, part, bytes) in parts(&mut asked(&[0], GET), &server.frames, 1000).unwrap() {
            reader.receive(&bytes).unwrap();
            if let Part::Bytes { size: all } = part {
                size = all;
            }
        }
        let answer = reader.framed_end(size.unwrap()).unwrap();
        assert_eq!((answer.status, &answer.body[..]), (200, &b"x"[..]));
        assert_eq!(answer.size, server.frames.len() as u64);
    }

    #[test]
    fn fields_may_go_on_in_other_frames_and_nothing_may_come_between() {
        let mut server = Server::default();
        let block = server.block(&[STATUS, TEXT]);
        let (begin, rest) = block.split_at(3);
        let server = server.frame(kind::HEADERS, flag::END_STREAM, 1, begin).frame(
            kind::CONTINUATION,
            flag::END_HEADERS,
            1,
            rest,
        );
        let found = parts(&mut asked(&[0], GET), &server.frames, 1000).unwrap();
        assert_eq!(found.len(), 1);
        assert!(found[0].2.starts_with(b"HTTP/1.1 200 \r\ncontent-type: text/html"));
        assert_eq!(found[0].1, Part::Bytes { size: Some(server.frames.len() as u64) });
        let mut between = Server::default().frame(kind::HEADERS, 0, 1, begin);
        between = between.frame(kind::PING, 0, 0, &[0; 8]);
        assert!(parts(&mut asked(&[0], GET), &between.frames, 1000).is_err());
    }

    #[test]
    fn content_waits_for_the_windows_and_for_the_size_of_frames() {
        let long =
            [&b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 70000\r\n\r\n"[..], &[b'x'; 70_000]].concat();
        let mut http2 = asked(&[0], &long);
        let content = |frames: &[(u8, u32, u8, usize)]| -> usize {
            frames.iter().filter(|frame| frame.0 == kind::DATA).map(|frame| frame.3).sum()
        };
        let first = sent(&http2.take_output());
        assert_eq!(content(&first), FIRST_WINDOW as usize);
        assert!(first.iter().all(|frame| frame.3 <= LONGEST_FRAME));
        // Each window counts.
        let server = Server::default().number(kind::WINDOW_UPDATE, 0, 100_000);
        parts(&mut http2, &server.frames, 1000).unwrap();
        assert_eq!(content(&sent(&http2.take_output())), 0);
        let server = Server::default().setting(setting::INITIAL_WINDOW_SIZE, 66_000);
        parts(&mut http2, &server.frames, 1000).unwrap();
        assert_eq!(content(&sent(&http2.take_output())), 66_000 - FIRST_WINDOW as usize);
        let server = Server::default().number(kind::WINDOW_UPDATE, 1, 100_000);
        parts(&mut http2, &server.frames, 1000).unwrap();
        let last = sent(&http2.take_output());
        assert_eq!(content(&last), 4000);
        assert_eq!(last.last().unwrap().2, flag::END_STREAM);
    }

    #[test]
    fn requests_beyond_the_servers_limit_wait_for_answers() {
        let mut http2 = Http2::default();
        let server = Server::default().setting(setting::MAX_CONCURRENT_STREAMS, 1);
        parts(&mut http2, &server.frames, 1000).unwrap();
        http2.take_output();
        assert!((0..3).all(|slot| http2.send(slot, GET)));
        let streams = |http2: &mut Http2| -> Vec<u32> {
            let sent = sent(&http2.take_output()).into_iter();
            sent.filter(|frame| frame.0 == kind::HEADERS).map(|frame| frame.1).collect()
        };
        let slots = |http2: &Http2| (http2.waiting(), http2.queued());
        assert_eq!((streams(&mut http2), slots(&http2)), (vec![1], (vec![0], vec![1, 2])));
        let server = Server::default().head(flag::END_STREAM, 1, &[STATUS]);
        parts(&mut http2, &server.frames, 1000).unwrap();
        assert_eq!((streams(&mut http2), slots(&http2)), (vec![3], (vec![1], vec![2])));
        http2.cancel(1);
        assert_eq!((streams(&mut http2), slots(&http2)), (vec![5], (vec![2], vec![])));
    }

    #[test]
    fn requests_that_a_server_has_not_seen_are_told_from_those_that_it_gave_up() {
        let mut http2 = asked(&[0, 1, 2], GET);
        let server = Server::default()
            .number(kind::RST_STREAM, 1, 2)
            .number(kind::RST_STREAM, 3, code::REFUSED_STREAM)
            .frame(kind::GOAWAY, 0, 0, &[0, 0, 0, 3, 0, 0, 0, 0]);
        let found = parts(&mut http2, &server.frames, 1000).unwrap();
        let found: Vec<_> = found.into_iter().map(|(slot, part, _)| (slot, part)).collect();
        let reset = |is_untouched| Part::Reset { is_untouched };
        assert_eq!(found, [(0, reset(false)), (1, reset(true)), (2, reset(true))]);
        assert!(http2.is_ending() && http2.is_idle());
    }

    #[test]
    fn a_request_may_have_any_number_of_headers() {
        let headers: String = (0..300).map(|number| format!("x-{number}: {number}\r\n")).collect();
        let request = format!("GET / HTTP/1.1\r\nHost: x\r\n{headers}\r\n");
        let mut http2 = asked(&[0], request.as_bytes());
        let heads = sent(&http2.take_output()).into_iter().filter(|frame| frame.0 == kind::HEADERS);
        let lengths: Vec<usize> = heads.map(|frame| frame.3).collect();
        assert!(lengths.len() == 1 && lengths[0] > 300 * "x-1".len(), "{lengths:?}");
    }

    #[test]
    fn a_connection_stays_usable_after_what_is_late_or_unknown() {
        let mut http2 = asked(&[0], GET);
        http2.cancel(0);
        assert!(!http2.send(0, b"GET\0") && http2.send(0, GET));
        http2.take_output();
        let server = Server::default()
            .frame(99, 0, 0, b"?")
            .frame(kind::PING, 0, 0, b"12345678")
            .head(0, 1, &[STATUS, ("x-of-the-first", "1")])
            .frame(kind::DATA, flag::END_STREAM, 1, b"late")
            .head(flag::END_STREAM, 3, &[STATUS, ("x-of-the-first", "1")]);
        let found = parts(&mut http2, &server.frames, 1000).unwrap();
        assert_eq!(found.len(), 1);
        assert!(found[0].2.ends_with(b"x-of-the-first: 1\r\n\r\n"));
        assert_eq!(sent(&http2.take_output()), [(kind::PING, 0, flag::ACK, 8)]);
    }

    #[test]
    fn the_connections_window_is_opened_again() {
        let mut http2 = asked(&[0], GET);
        http2.take_output();
        let mut server = Server::default().head(0, 1, &[STATUS]);
        for _ in 0..65 {
            server = server.frame(kind::DATA, 0, 1, &[0; LONGEST_FRAME]);
        }
        parts(&mut http2, &server.frames, 100_000).unwrap();
        assert_eq!(sent(&http2.take_output()), [(kind::WINDOW_UPDATE, 0, 0, 4)]);
    }

    #[test]
    fn broken_rules_are_refused() {
        let server = Server::default;
        for (what, server) in [
            ("a long frame", Server { frames: vec![0, 0x40, 1, 0, 0, 0, 0, 0, 1], ..server() }),
            ("a push", server().frame(kind::PUSH_PROMISE, flag::END_HEADERS, 1, &[0; 4])),
            ("an answer to nothing", server().head(flag::END_STREAM, 3, &[STATUS])),
            ("an even stream", server().head(flag::END_STREAM, 2, &[STATUS])),
            ("nothing but padding", server().frame(kind::DATA, flag::PADDED, 1, b"\x05x")),
            ("a continuation of nothing", server().frame(kind::CONTINUATION, flag::END_HEADERS, 1, b"")),
            ("a short ping", server().frame(kind::PING, 0, 0, b"1234")),
            ("a ping of a request", server().frame(kind::PING, 0, 1, b"12345678")),
            ("a reset of everything", server().number(kind::RST_STREAM, 0, 2)),
            ("a window opened by nothing", server().number(kind::WINDOW_UPDATE, 0, 0)),
            ("short frames", server().setting(setting::MAX_FRAME_SIZE, 100)),
            ("frames that are too long", server().setting(setting::MAX_FRAME_SIZE, 1 << 24)),
            (
                "a stream's window that a setting widens",
                server()
                    .number(kind::WINDOW_UPDATE, 1, LARGEST_WINDOW - FIRST_WINDOW as u32)
                    .setting(setting::INITIAL_WINDOW_SIZE, FIRST_WINDOW as u32 + 1),
            ),
            ("half a setting", server().frame(kind::SETTINGS, 0, 0, b"123")),
            ("a wide window", server().setting(setting::INITIAL_WINDOW_SIZE, 1 << 31)),
            ("a window that grows too wide", server().number(kind::WINDOW_UPDATE, 0, LARGEST_WINDOW)),
            ("a short number", server().frame(kind::RST_STREAM, 0, 1, b"1")),
        ] {
            assert!(parts(&mut asked(&[0], GET), &server.frames, 1000).is_err(), "{what}");
        }
        for (id, kind) in [(0, 99), (1, kind::DATA)] {
            let begun = Server::default().head(0, 1, &[STATUS]);
            let idle = (0..MOST_IDLE_FRAMES + 1).fold(begun, |server, _| server.frame(kind, 0, id, b""));
            assert!(parts(&mut asked(&[0], GET), &idle.frames, 1000).is_err());
        }
    }

    #[test]
    fn a_fault_of_an_answer_concerns_no_other() {
        let server = Server::default;
        for (what, server) in [
            ("content without a head", server().frame(kind::DATA, flag::END_STREAM, 1, b"x")),
            ("an end before the head", server().head(flag::END_STREAM, 1, &[(":status", "103")])),
            ("trailers in the middle", server().head(0, 1, &[STATUS]).head(0, 1, &[("x", "1")])),
            ("a header of HTTP/1.1", server().head(0, 1, &[STATUS, ("connection", "close")])),
            ("no status", server().head(0, 1, &[TEXT])),
            ("a window opened by nothing", server().number(kind::WINDOW_UPDATE, 1, 0)),
            ("a window that grows too wide", server().number(kind::WINDOW_UPDATE, 1, LARGEST_WINDOW)),
        ] {
            let mut http2 = asked(&[7, 8], GET);
            http2.take_output();
            // Late frames of the first one are nobody's.
            let late = server.head(flag::END_STREAM, 1, &[("x-late", "1")]);
            let server = late.head(flag::END_STREAM, 3, &[STATUS, ("x-late", "1")]);
            let found = parts(&mut http2, &server.frames, 1000).unwrap();
            let faults: Vec<_> = found.iter().filter(|one| matches!(one.1, Part::Fault(_))).collect();
            assert!(matches!(&faults[..], [(7, ..)]), "{what}: {found:?}");
            let (slot, part, head) = found.last().unwrap();
            assert!(*slot == 8 && matches!(part, Part::Bytes { size: Some(_) }), "{what}: {found:?}");
            assert!(head.ends_with(b"x-late: 1\r\n\r\n"));
            assert_eq!(sent(&http2.take_output()), [(kind::RST_STREAM, 1, 0, 4)], "{what}");
        }
    }

    #[test]
    fn an_answer_that_has_begun_is_not_asked_for_again() {
        let mut http2 = asked(&[0, 1], GET);
        let server = Server::default().head(0, 1, &[STATUS]).head(0, 3, &[STATUS]);
        let server = server.number(kind::RST_STREAM, 1, code::REFUSED_STREAM);
        let server = server.frame(kind::GOAWAY, 0, 0, &[0; 8]);
        let found = parts(&mut http2, &server.frames, 1000).unwrap();
        assert_eq!(
            found[2..].iter().map(|one| &one.1).collect::<Vec<_>>(),
            [&Part::Reset { is_untouched: false }; 2]
        );
    }

    #[test]
    fn numbers_of_streams_come_to_an_end() {
        let mut http2 = Http2 { next_id: BITS_31, ..Http2::default() };
        assert!(http2.send(0, GET) && http2.is_ending() && !http2.is_idle());
        let server = Server::default().head(flag::END_STREAM, BITS_31, &[STATUS]);
        assert_eq!(parts(&mut http2, &server.frames, 1000).unwrap().len(), 1);
    }
}
