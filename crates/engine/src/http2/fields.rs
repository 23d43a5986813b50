//! Field blocks of HTTP/2 (RFC 7541). Requests are encoded as browsers do it: what is repeated once, and the rest by Huffman's
//! code. The blocks of answers are written as HTTP/1.1 would send them, so that one reader judges both.

use super::huffman;
use crate::http::{HttpError, MAX_HEAD};
use std::collections::VecDeque;

/// The size of a table until its decoder announces another one (RFC 9113, 6.5.2).
const TABLE_SIZE: usize = 4096;

/// Bytes that an entry of a table takes beside its name and value (RFC 7541, 4.1).
const ENTRY_OVERHEAD: usize = 32;

/// The entries that each table begins with, from index 1 (RFC 7541, A).
const STATIC: [(&str, &str); 61] = [
    (":authority", ""),
    (":method", "GET"),
    (":method", "POST"),
    (":path", "/"),
    (":path", "/index.html"),
    (":scheme", "http"),
    (":scheme", "https"),
    (":status", "200"),
    (":status", "204"),
    (":status", "206"),
    (":status", "304"),
    (":status", "400"),
    (":status", "404"),
    (":status", "500"),
    ("accept-charset", ""),
    ("accept-encoding", "gzip, deflate"),
    ("accept-language", ""),
    ("accept-ranges", ""),
    ("accept", ""),
    ("access-control-allow-origin", ""),
    ("age", ""),
    ("allow", ""),
    ("authorization", ""),
    ("cache-control", ""),
    ("content-disposition", ""),
    ("content-encoding", ""),
    ("content-language", ""),
    ("content-length", ""),
    ("content-location", ""),
    ("content-range", ""),
    ("content-type", ""),
    ("cookie", ""),
    ("date", ""),
    ("etag", ""),
    ("expect", ""),
    ("expires", ""),
    ("from", ""),
    ("host", ""),
    ("if-match", ""),
    ("if-modified-since", ""),
    ("if-none-match", ""),
    ("if-range", ""),
    ("if-unmodified-since", ""),
    ("last-modified", ""),
    ("link", ""),
    ("location", ""),
    ("max-forwards", ""),
    ("proxy-authenticate", ""),
    ("proxy-authorization", ""),
    ("range", ""),
    ("referer", ""),
    ("refresh", ""),
    ("retry-after", ""),
    ("server", ""),
    ("set-cookie", ""),
    ("strict-transport-security", ""),
    ("transfer-encoding", ""),
    ("user-agent", ""),
    ("vary", ""),
    ("via", ""),
    ("www-authenticate", ""),
];

/// Names whose values most requests share.
const REPEATED: [&str; 7] =
    [":authority", "accept", "accept-encoding", "accept-language", "content-type", "cookie", "user-agent"];

/// Encodes fields. What is repeated goes into the decoder's table until that is full, so that nothing ever leaves it.
#[derive(Debug)]
pub(super) struct FieldEncoder {
    /// Fields in the decoder's table, the oldest first.
    table: Vec<(String, String)>,
    /// The bytes that are left in it.
    room: usize,
    /// True if the decoder's table is to be emptied first.
    clears: bool,
}

impl Default for FieldEncoder {
    fn default() -> Self {
        Self { table: Vec::new(), room: TABLE_SIZE, clears: false }
    }
}

impl FieldEncoder {
    /// Follows the decoder's announcement of its table's size. A smaller table is not used at all.
    pub(super) fn set_table_size(&mut self, size: usize) {
        if size < TABLE_SIZE && (self.room > 0 || !self.table.is_empty()) {
            *self = Self { table: Vec::new(), room: 0, clears: true };
        }
    }

    /// Appends a field to a block. The name is in lower case.
    pub(super) fn encode(&mut self, name: &str, value: &str, block: &mut Vec<u8>) {
        if std::mem::take(&mut self.clears) {
            integer(0, 5, 0x20, block);
        }
        let known = STATIC.iter().position(|known| *known == (name, value)).map(|at| at + 1);
        let at = self.table.iter().rposition(|(known, same)| known == name && same == value);
        let index = known.or(at.map(|at| STATIC.len() + self.table.len() - at));
        match index {
            Some(index) => integer(index, 7, 0x80, block),
            None if self.enters(name, value) => {
                self.literal(name, value, (6, 0x40), block);
                self.room -= name.len() + value.len() + ENTRY_OVERHEAD;
                self.table.push((name.to_owned(), value.to_owned()));
            }
            None => self.literal(name, value, (4, 0), block),
        }
    }

    fn enters(&self, name: &str, value: &str) -> bool {
        REPEATED.contains(&name) && name.len() + value.len() + ENTRY_OVERHEAD <= self.room
    }

    /// A field in words. `prefix` has the bits of the index and those before it.
    fn literal(&self, name: &str, value: &str, prefix: (u32, u8), block: &mut Vec<u8>) {
        let known = STATIC.iter().position(|known| known.0 == name);
        integer(known.map_or(0, |at| at + 1), prefix.0, prefix.1, block);
        for text in known.is_none().then_some(name).into_iter().chain([value]) {
            put_text(text.as_bytes(), block);
        }
    }
}

/// Appends a text, coded if that is shorter.
fn put_text(text: &[u8], block: &mut Vec<u8>) {
    let coded = huffman::coded_length(text);
    if coded < text.len() {
        integer(coded, 7, 0x80, block);
        huffman::encode(text, block);
    } else {
        integer(text.len(), 7, 0, block);
        block.extend_from_slice(text);
    }
}

/// Appends an integer, whose first byte has `bits` of it behind `before` (RFC 7541, 5.1).
fn integer(value: usize, bits: u32, before: u8, block: &mut Vec<u8>) {
    let most = (1 << bits) - 1;
    if value < most {
        return block.push(before | value as u8);
    }
    block.push(before | most as u8);
    let mut rest = value - most;
    while rest >= 128 {
        block.push(rest as u8 | 128);
        rest >>= 7;
    }
    block.push(rest as u8);
}

/// Decodes field blocks. Each one may change the table, so that all have to be decoded, one after the other.
#[derive(Debug)]
pub(super) struct FieldDecoder {
    /// Fields that the server has kept, the latest first.
    table: VecDeque<(Vec<u8>, Vec<u8>)>,
    size: usize,
    limit: usize,
}

impl Default for FieldDecoder {
    fn default() -> Self {
        Self { table: VecDeque::new(), size: 0, limit: TABLE_SIZE }
    }
}

/// Takes the name and the value of a field.
type TakeField<'a> = dyn FnMut(&[u8], &[u8]) -> Result<(), HttpError> + 'a;

impl FieldDecoder {
    /// Decodes a block. `take` gets each field.
    ///
    /// # Errors
    /// It can't be decompressed, or `take` has failed. The connection is of no use then.
    fn decode(&mut self, mut block: &[u8], take: &mut TakeField<'_>) -> Result<(), HttpError> {
        let mut is_begin = true;
        while let Some(first) = block.first() {
            match first {
                0x80.. => {
                    let index = read_integer(&mut block, 7)?;
                    let (name, value) = self.entry(index)?;
                    take(name, value)?;
                }
                0x20..0x40 if is_begin => {
                    self.limit = read_integer(&mut block, 5)?;
                    if self.limit > TABLE_SIZE {
                        return Err(UNREADABLE);
                    }
                    self.evict();
                    continue;
                }
                0x20..0x40 => return Err(UNREADABLE),
                _ => {
                    let is_kept = first & 0x40 != 0;
                    let index = read_integer(&mut block, if is_kept { 6 } else { 4 })?;
                    let name =
                        if index == 0 { read_text(&mut block)? } else { self.entry(index)?.0.to_vec() };
                    let value = read_text(&mut block)?;
                    take(&name, &value)?;
                    if is_kept {
                        self.size += name.len() + value.len() + ENTRY_OVERHEAD;
                        self.table.push_front((name, value));
                        self.evict();
                    }
                }
            }
            is_begin = false;
        }
        Ok(())
    }

    fn entry(&self, index: usize) -> Result<(&[u8], &[u8]), HttpError> {
        let at = index.checked_sub(1).ok_or(UNREADABLE)?;
        if let Some((name, value)) = STATIC.get(at) {
            return Ok((name.as_bytes(), value.as_bytes()));
        }
        let (name, value) = self.table.get(at - STATIC.len()).ok_or(UNREADABLE)?;
        Ok((name, value))
    }

    /// Drops the oldest fields, until the others have room.
    fn evict(&mut self) {
        while self.size > self.limit
            && let Some((name, value)) = self.table.pop_back()
        {
            self.size -= name.len() + value.len() + ENTRY_OVERHEAD;
        }
    }
}

const UNREADABLE: HttpError = HttpError::Fields("they can't be decompressed");

/// Takes an integer off a block, which has `bits` in its first byte.
fn read_integer(block: &mut &[u8], bits: u32) -> Result<usize, HttpError> {
    let mut next = || -> Result<usize, HttpError> {
        let (byte, rest) = block.split_first().ok_or(UNREADABLE)?;
        *block = rest;
        Ok(usize::from(*byte))
    };
    let most = (1 << bits) - 1;
    let mut value = next()? & most;
    if value < most {
        return Ok(value);
    }
    // No block is so long that it needs more than three bytes more.
    for shift in [0, 7, 14] {
        let byte = next()?;
        value += (byte & 127) << shift;
        if byte < 128 {
            return Ok(value);
        }
    }
    Err(UNREADABLE)
}

/// Takes a text off a block.
fn read_text(block: &mut &[u8]) -> Result<Vec<u8>, HttpError> {
    let is_coded = block.first().is_some_and(|first| first & 0x80 != 0);
    let length = read_integer(block, 7)?;
    let (text, rest) = block.split_at_checked(length).ok_or(UNREADABLE)?;
    *block = rest;
    if is_coded { huffman::decode(text).ok_or(UNREADABLE) } else { Ok(text.to_vec()) }
}

/// The kind of a block that an answer has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockKind {
    /// A head before the final one.
    Early,
    Final,
    Trailers,
}

/// Decodes a block, and writes it into `head` as HTTP/1.1 would send it; trailers have no status line. `is_trailers` says
/// that a final head came before. The inner error is a fault of the answer alone.
///
/// # Errors
/// The block can't be decompressed, or is too long. The connection is of no use then.
pub(super) fn decode(
    decoder: &mut FieldDecoder,
    block: &[u8],
    is_trailers: bool,
    head: &mut Vec<u8>,
) -> Result<Result<BlockKind, HttpError>, HttpError> {
    head.clear();
    let (mut status, mut fault) = (None, None);
    let (mut fields, mut size) = (Vec::new(), 0);
    decoder.decode(block, &mut |name, value| {
        size += name.len() + value.len();
        if size > MAX_HEAD {
            return Err(HttpError::HeadTooLong);
        }
        let result = match name {
            b":status" if status.is_none() && fields.is_empty() && !is_trailers => {
                status = parse_status(value);
                if status.is_some() { Ok(()) } else { Err("a status is no number of three digits") }
            }
            [b':', ..] => Err("a pseudo-header is unknown, repeated or not in front"),
            _ => write_field(name, value, &mut fields),
        };
        fault = fault.or(result.err());
        Ok(())
    })?;
    if let Some(fault) = fault {
        return Ok(Err(HttpError::Fields(fault)));
    }
    let kind = match status {
        None if is_trailers => return Ok(Ok(BlockKind::Trailers)),
        None => return Ok(Err(HttpError::Fields("there is no status"))),
        Some(100..200) => BlockKind::Early,
        Some(_) => BlockKind::Final,
    };
    head.extend_from_slice(format!("HTTP/1.1 {} \r\n", status.unwrap_or_default()).as_bytes());
    head.extend_from_slice(&fields);
    head.extend_from_slice(b"\r\n");
    if head.len() > MAX_HEAD { Err(HttpError::HeadTooLong) } else { Ok(Ok(kind)) }
}

fn parse_status(value: &[u8]) -> Option<u16> {
    let is_number = value.len() == 3 && value.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(value).ok().filter(|_| is_number)?.parse().ok()
}

/// True if a header is about a connection of HTTP/1.1, so that HTTP/2 has none of that name (RFC 9113, 8.2.2).
pub(super) fn is_of_http1(name: &[u8]) -> bool {
    matches!(name, b"connection" | b"keep-alive" | b"proxy-connection" | b"transfer-encoding" | b"upgrade")
}

/// Appends a field as a line. The rules are those of RFC 9113, 8.2.
fn write_field(name: &[u8], value: &[u8], fields: &mut Vec<u8>) -> Result<(), &'static str> {
    let is_name = |byte: &u8| byte.is_ascii_graphic() && !byte.is_ascii_uppercase() && *byte != b':';
    if name.is_empty() || !name.iter().all(is_name) {
        return Err("the name of a header has a character that none may have");
    }
    if value.iter().any(|byte| matches!(byte, b'\r' | b'\n' | 0)) {
        return Err("the value of a header has a line break or a NUL");
    }
    if is_of_http1(name) {
        return Err("a header belongs to connections of HTTP/1.1");
    }
    for part in [name, b": ", value, b"\r\n"] {
        fields.extend_from_slice(part);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type Fields = Vec<(String, String)>;

    fn decoded(decoder: &mut FieldDecoder, block: &[u8]) -> Fields {
        let mut fields = Vec::new();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let mut take = |name: &[u8], value: &[u8]| {
            fields.push((text(name), text(value)));
            Ok(())
        };
        decoder.decode(block, &mut take).unwrap();
        fields
    }

    fn field() -> impl Strategy<Value = (String, String)> {
        let names = STATIC.iter().map(|known| known.0).chain(["x-own", "x-other"]);
        let values = ["GET", "POST", "https", "/", "", "one", "two"].map(str::to_owned).to_vec();
        (
            prop::sample::select(names.map(str::to_owned).collect::<Vec<_>>()),
            prop_oneof![prop::sample::select(values), "[ -~]{0,400}"],
        )
    }

    proptest! {
        #[test]
        fn a_decoder_reads_what_is_encoded(
            requests in prop::collection::vec(prop::collection::vec(field(), 0..8), 1..20),
            shrinks_after in 0..30_usize,
        ) {
            let (mut encoder, mut decoder) = (FieldEncoder::default(), FieldDecoder::default());
            for (index, fields) in requests.iter().enumerate() {
                if index == shrinks_after {
                    encoder.set_table_size(100);
                }
                let mut block = Vec::new();
                fields.iter().for_each(|(name, value)| encoder.encode(name, value, &mut block));
                prop_assert_eq!(&decoded(&mut decoder, &block), fields);
            }
        }

        /// Another implementation reads and writes the same.
        #[test]
        fn others_understand_it(requests in prop::collection::vec(prop::collection::vec(field(), 0..8), 1..20)) {
            let (mut encoder, mut theirs) = (FieldEncoder::default(), loona_hpack::Decoder::new());
            let (mut their_encoder, mut decoder) = (loona_hpack::Encoder::new(), FieldDecoder::default());
            for fields in &requests {
                let mut block = Vec::new();
                fields.iter().for_each(|(name, value)| encoder.encode(name, value, &mut block));
                let bytes: Vec<_> =
                    fields.iter().map(|(name, value)| (name.clone().into_bytes(), value.clone().into_bytes())).collect();
                prop_assert_eq!(&theirs.decode(&block).unwrap(), &bytes);
                let block = their_encoder.encode(bytes.iter().map(|(name, value)| (&name[..], &value[..])));
                prop_assert_eq!(&decoded(&mut decoder, &block), fields);
            }
        }

        #[test]
        fn any_bytes_are_decoded_or_refused(blocks in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..100), 1..8)) {
            let mut decoder = FieldDecoder::default();
            for block in blocks {
                if decoder.decode(&block, &mut |_, _| Ok(())).is_err() {
                    break;
                }
                prop_assert!(decoder.size <= decoder.limit && decoder.limit <= TABLE_SIZE);
            }
        }
    }

    #[test]
    fn a_repeated_request_takes_a_byte_for_each_field() {
        let mut encoder = FieldEncoder::default();
        let fields = [(":method", "GET"), (":authority", "a:1"), ("user-agent", "x"), ("cookie", "a=b")];
        let mut lengths = Vec::new();
        for _ in 0..2 {
            let mut block = Vec::new();
            fields.iter().for_each(|(name, value)| encoder.encode(name, value, &mut block));
            lengths.push(block.len());
        }
        assert_eq!(lengths[1], fields.len());
        assert_eq!(lengths[0], 14);
    }

    fn read(fields: &[(&str, &str)], is_trailers: bool) -> Result<(BlockKind, String), HttpError> {
        let (mut encoder, mut block, mut head) = (FieldEncoder::default(), Vec::new(), Vec::new());
        fields.iter().for_each(|(name, value)| encoder.encode(name, value, &mut block));
        let kind = decode(&mut FieldDecoder::default(), &block, is_trailers, &mut head)??;
        Ok((kind, String::from_utf8(head).unwrap()))
    }

    #[test]
    fn heads_are_written_as_http_1_sends_them() {
        let head = read(&[(":status", "200"), ("content-type", "text/html"), ("set-cookie", "a=b")], false);
        let text = "HTTP/1.1 200 \r\ncontent-type: text/html\r\nset-cookie: a=b\r\n\r\n";
        assert_eq!(head, Ok((BlockKind::Final, text.to_owned())));
        assert_eq!(read(&[(":status", "103")], false).unwrap().0, BlockKind::Early);
        assert_eq!(read(&[("x-sum", "1")], true), Ok((BlockKind::Trailers, String::new())));
    }

    #[test]
    fn fields_that_http_forbids_are_refused() {
        for fields in [
            &[("content-type", "text/html")][..],
            &[(":status", "20")],
            &[(":status", "2x0")],
            &[(":status", "200"), (":status", "200")],
            &[("x-a", "1"), (":status", "200")],
            &[(":status", "200"), ("X-Upper", "1")],
            &[(":status", "200"), ("x a", "1")],
            &[(":status", "200"), ("", "1")],
            &[(":status", "200"), ("x-a", "1\r\nx-b: 2")],
            &[(":status", "200"), ("transfer-encoding", "chunked")],
            &[(":status", "200"), ("connection", "close")],
            &[(":status", "200"), (":path", "/")],
        ] {
            assert!(matches!(read(fields, false), Err(HttpError::Fields(_))), "{fields:?}");
        }
        assert!(matches!(read(&[(":status", "200")], true), Err(HttpError::Fields(_))));
    }

    #[test]
    fn blocks_that_cannot_be_decompressed_are_refused() {
        let name_of_3000 = [&[0x40, 0x7f, 0xb9, 0x16][..], &[b'x'; 3000], &[0]].concat();
        let amplified = [&name_of_3000[..], &[0xbe; 30]].concat();
        for (what, block, fault) in [
            ("a long integer", &[0xff; 6][..], UNREADABLE),
            ("index 0", &[0x80], UNREADABLE),
            ("an index beyond the table", &[0xbe], UNREADABLE),
            ("a larger table", &[0x3f, 0xe2, 0x1f], UNREADABLE),
            ("a new size between fields", &[0x88, 0x20], UNREADABLE),
            ("a cut text", &[0x00, 0x05, b'x'], UNREADABLE),
            ("nothing behind a name", &[0x00, 0x01, b'x'], UNREADABLE),
            ("a wrong code", &[0x00, 0x81, 0xff, 0x00], UNREADABLE),
            ("few bytes that are many", &amplified, HttpError::HeadTooLong),
        ] {
            let decoded = decode(&mut FieldDecoder::default(), block, false, &mut Vec::new());
            assert_eq!(decoded, Err(fault), "{what}");
        }
    }
}
