//! The type and the encoding of a document, by what is declared.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// The bytes of a document in which browsers look for a declaration.
const PRESCANNED: usize = 1024;

/// The encoding of an HTML document; none of a document of another type.
pub(super) fn of_html(content_type: &str, body: &[u8]) -> Option<&'static Encoding> {
    let (kind, parameters) = content_type.split_once(';').unwrap_or((content_type, ""));
    let kinds = ["", "text/html", "application/xhtml+xml"];
    if !kinds.iter().any(|known| kind.trim().eq_ignore_ascii_case(known)) {
        return None;
    }
    if let Some((marked, _)) = Encoding::for_bom(body) {
        return Some(marked);
    }
    Some(declared(parameters).or_else(|| in_markup(body)).unwrap_or_else(|| guessed(body)))
}

fn declared(parameters: &str) -> Option<&'static Encoding> {
    let values = parameters.split(';').filter_map(|parameter| parameter.split_once('='));
    let charset = values.into_iter().find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"));
    Encoding::for_label(charset?.1.trim().trim_matches('"').as_bytes())
}

/// The encoding that a `<meta>` declares. A document whose markup can be read so is not in UTF-16.
fn in_markup(body: &[u8]) -> Option<&'static Encoding> {
    let head = body[..body.len().min(PRESCANNED)].to_ascii_lowercase();
    let found = memchr::memmem::find_iter(&head, b"<meta").find_map(|at| {
        let tag = &head[at..];
        let tag = &tag[..memchr::memchr(b'>', tag).unwrap_or(tag.len())];
        let value = tag[memchr::memmem::find(tag, b"charset")? + b"charset".len()..].trim_ascii_start();
        let value = value.strip_prefix(b"=")?.trim_ascii_start();
        let value = value.strip_prefix(b"\"").or_else(|| value.strip_prefix(b"'")).unwrap_or(value);
        let ends = |byte: &u8| byte.is_ascii_whitespace() || b"\"';/".contains(byte);
        Encoding::for_label(&value[..value.iter().position(ends).unwrap_or(value.len())])
    })?;
    match found.name() {
        "UTF-16LE" | "UTF-16BE" => Some(UTF_8),
        "x-user-defined" => Some(WINDOWS_1252),
        _ => Some(found),
    }
}

fn guessed(body: &[u8]) -> &'static Encoding {
    if std::str::from_utf8(body).is_ok() { UTF_8 } else { WINDOWS_1252 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_read_in_its_declared_encoding() {
        for (content_type, body, expected) in [
            ("text/html; charset=utf-8", &b"\xe4"[..], "UTF-8"),
            ("Text/HTML;x=1; Charset=\"ISO-8859-1\"", b"", "windows-1252"),
            ("application/xhtml+xml", b"", "UTF-8"),
            ("text/html", b"<META charset=koi8-r>", "KOI8-R"),
            ("text/html", b"<meta http-equiv=x content='text/html; charset=shift_jis'>", "Shift_JIS"),
            ("text/html; charset=utf-8", b"<meta charset=koi8-r>", "UTF-8"),
            ("text/html; charset=nonsense", b"<meta charset='utf-16'>", "UTF-8"),
            ("text/html; charset=koi8-r", b"\xef\xbb\xbfx", "UTF-8"),
            ("", b"\xe4", "windows-1252"),
        ] {
            let found = of_html(content_type, body).map(Encoding::name);
            assert_eq!(found, Some(expected), "{content_type} {body:?}");
        }
    }

    #[test]
    fn documents_of_other_types_have_no_links() {
        for kind in ["text/plain", "application/json; charset=utf-8", "image/png", "text/htmlx"] {
            assert_eq!(of_html(kind, b"<a href=x>"), None, "{kind}");
        }
    }
}
