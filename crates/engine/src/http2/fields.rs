//! Field blocks of HTTP/2: requests are encoded as browsers do it (RFC 7541), and the blocks of answers are written as
//! HTTP/1.1 would send them, so that one reader judges both.

use crate::http::{HttpError, MAX_HEAD};
use loona_hpack::Decoder;

/// The size of a table until its decoder announces another one (RFC 9113, 6.5.2).
const TABLE_SIZE: usize = 4096;

/// Bytes that an entry of a table takes beside its name and value (RFC 7541, 4.1).
const ENTRY_OVERHEAD: usize = 32;

/// The number of entries of the static table.
const STATIC_ENTRIES: usize = 61;

/// Names in the static table that requests have, with their indexes.
const STATIC_NAMES: [(&str, usize); 13] = [
    (":authority", 1),
    (":method", 2),
    (":path", 4),
    ("accept", 19),
    ("accept-encoding", 16),
    ("accept-language", 17),
    ("content-length", 28),
    ("content-type", 31),
    ("cookie", 32),
    ("if-modified-since", 40),
    ("if-none-match", 41),
    ("referer", 51),
    ("user-agent", 58),
];

/// Fields that are in the static table as they are.
const STATIC_FIELDS: [(&str, &str, usize); 3] =
    [(":method", "GET", 2), (":method", "POST", 3), (":scheme", "https", 7)];

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
        let known = STATIC_FIELDS.iter().find(|known| (known.0, known.1) == (name, value));
        let at = self.table.iter().rposition(|(known, same)| known == name && same == value);
        let index = known.map(|known| known.2).or(at.map(|at| STATIC_ENTRIES + self.table.len() - at));
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
        let known = STATIC_NAMES.iter().find(|known| known.0 == name);
        integer(known.map_or(0, |known| known.1), prefix.0, prefix.1, block);
        for text in known.is_none().then_some(name).into_iter().chain([value]) {
            integer(text.len(), 7, 0, block);
            block.extend_from_slice(text.as_bytes());
        }
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

/// The kind of a block that an answer has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockKind {
    /// A head before the final one.
    Early,
    Final,
    Trailers,
}

/// Decodes a block, and writes it into `head` as HTTP/1.1 would send it; trailers have no status line. `is_trailers` says
/// that a final head came before.
pub(super) fn decode(
    decoder: &mut Decoder<'_>,
    block: &[u8],
    is_trailers: bool,
    head: &mut Vec<u8>,
) -> Result<BlockKind, HttpError> {
    head.clear();
    let (mut status, mut fault) = (None, None);
    let mut fields = Vec::new();
    let decoded = decoder.decode_with_cb(block, |name, value| {
        let result = match &*name {
            b":status" if status.is_none() && fields.is_empty() && !is_trailers => {
                status = parse_status(&value);
                if status.is_some() { Ok(()) } else { Err("a status is no number of three digits") }
            }
            [b':', ..] => Err("a pseudo-header is unknown, repeated or not in front"),
            _ => write_field(&name, &value, &mut fields),
        };
        fault = fault.or(result.err());
    });
    decoded.map_err(|_| HttpError::Fields("they can't be decompressed"))?;
    if let Some(fault) = fault {
        return Err(HttpError::Fields(fault));
    }
    let kind = match status {
        None if is_trailers => return Ok(BlockKind::Trailers),
        None => return Err(HttpError::Fields("there is no status")),
        Some(100..200) => BlockKind::Early,
        Some(_) => BlockKind::Final,
    };
    head.extend_from_slice(format!("HTTP/1.1 {} \r\n", status.unwrap_or_default()).as_bytes());
    head.extend_from_slice(&fields);
    head.extend_from_slice(b"\r\n");
    if head.len() > MAX_HEAD { Err(HttpError::HeadTooLong) } else { Ok(kind) }
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
    if fields.len() + name.len() + value.len() > MAX_HEAD {
        return Err("they are too long");
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

    fn decoded(decoder: &mut Decoder<'_>, block: &[u8]) -> Fields {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        decoder.decode(block).unwrap().into_iter().map(|(name, value)| (text(name), text(value))).collect()
    }

    fn field() -> impl Strategy<Value = (String, String)> {
        let names = STATIC_NAMES.iter().map(|known| known.0).chain([":scheme", "x-own", "x-other"]);
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
            let (mut encoder, mut decoder) = (FieldEncoder::default(), Decoder::new());
            for (index, fields) in requests.iter().enumerate() {
                if index == shrinks_after {
                    encoder.set_table_size(100);
                }
                let mut block = Vec::new();
                fields.iter().for_each(|(name, value)| encoder.encode(name, value, &mut block));
                prop_assert_eq!(&decoded(&mut decoder, &block), fields);
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
        let kind = decode(&mut Decoder::new(), &block, is_trailers, &mut head)?;
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
        let mut head = Vec::new();
        let fault = decode(&mut Decoder::new(), &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff], false, &mut head);
        assert!(matches!(fault, Err(HttpError::Fields(_))));
    }
}
