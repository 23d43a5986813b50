//! The format of MariaDB's general log.
//!
//! An entry is a line: the time (only if the second is new), the thread, the command and its argument, with tabs
//! between. An argument is logged as sent, maybe over several lines; a literal in it may hold a line that looks like
//! an entry, so literals are parsed.

use super::super::sql;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry<'a> {
    pub thread: u64,
    /// In the server's words: `Query`, `Close stmt`.
    pub command: &'a str,
    pub argument: &'a str,
}

struct Head<'a> {
    start: usize,
    thread: u64,
    command: &'a str,
    argument: usize,
}

/// Entries of a log of whole lines. Text before the first entry is left out.
pub(super) fn entries(log: &str) -> Vec<Entry<'_>> {
    let heads = heads(log);
    let mut entries = Vec::new();
    let mut at = 0;
    while let Some(head) = heads.get(at) {
        let next = at + 1 + lines_within(&log[head.argument..], head.argument, &heads[at + 1..]);
        let end = heads.get(next).map_or(log.len(), |next| next.start);
        let argument = log[head.argument..end].trim_end_matches('\n');
        entries.push(Entry { thread: head.thread, command: head.command, argument });
        at = next;
    }
    entries
}

fn heads(log: &str) -> Vec<Head<'_>> {
    let mut start = 0;
    let mut heads = Vec::new();
    for line in log.split_inclusive('\n') {
        heads.extend(head(line, start));
        start += line.len();
    }
    heads
}

fn head(line: &str, start: usize) -> Option<Head<'_>> {
    let (time, rest) = line.split_once('\t')?;
    if !time.is_empty() && !is_time(time) {
        return None;
    }
    let rest = if time.is_empty() { rest.strip_prefix('\t')? } else { rest };
    let (thread, rest) = rest.trim_start_matches(' ').split_once(' ')?;
    let (command, argument) = rest.split_once('\t')?;
    let is_command = command.starts_with(|c: char| c.is_ascii_uppercase())
        && command.chars().all(|c| c.is_ascii_alphabetic() || c == ' ' || c == '_');
    let thread = thread.parse().ok().filter(|_| is_command)?;
    Some(Head { start, thread, command, argument: start + line.len() - argument.len() })
}

/// `261122  0:01:17`
fn is_time(text: &str) -> bool {
    let form = "dddddd hd:dd:dd";
    let fits = |(c, form): (char, char)| match form {
        'd' => c.is_ascii_digit(),
        'h' => c.is_ascii_digit() || c == ' ',
        mark => c == mark,
    };
    text.len() == form.len() && text.chars().zip(form.chars()).all(fits)
}

/// Number of lines that look like entries but lie within literals of the argument at the begin of `text`, which
/// begins at `offset`. An unterminated literal was sent so and holds none.
fn lines_within(text: &str, offset: usize, heads: &[Head<'_>]) -> usize {
    let mut within = 0;
    for token in sql::tokens(text, sql::Dialect::Mariadb) {
        if token.is_open {
            return 0;
        }
        let (start, end) = (offset + token.end - token.text.len(), offset + token.end);
        while let Some(head) = heads.get(within).filter(|head| head.start < end) {
            if head.start == start || token.piece == sql::Piece::Space {
                return within;
            }
            within += 1;
        }
    }
    within
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = concat!(
        "/usr/sbin/mariadbd, Version: 10.11.19-MariaDB-0+deb12u1-log (Debian 12). started with:\n",
        "Tcp port: 30736  Unix socket: /tmp/sql.sock\n",
        "Time\t\t    Id Command\tArgument\n",
        "261122  0:01:17\t    38 Connect\tbench@127.0.0.1 on auction using TCP/IP\n",
        "\t\t    38 Query\t/* hi */ SELECT -5, 'it''s', \"a\\\"b\n",
        "\t\t     9 Query\tDELETE\", DATE'2020-01-01' -- x\n",
        " FROM regions # y\n",
        " LIMIT 1\n",
        "\t\t   138 Prepare\tSELECT name,\n",
        "                end_date >= NOW() AS open FROM items WHERE id = ?\n",
        "261122 10:01:18\t     5 Close stmt\t\n",
        "\t\t    38 Query\tSELECT 'x\n",
        "\t\t    38 Init DB\tauction\n",
    );

    #[test]
    fn entries_are_distinguished_from_lines_of_an_argument() {
        let read: Vec<(u64, &str, &str)> =
            entries(LOG).into_iter().map(|entry| (entry.thread, entry.command, entry.argument)).collect();
        let query = "/* hi */ SELECT -5, 'it''s', \"a\\\"b\n\t\t     9 Query\tDELETE\", DATE'2020-01-01' -- x\n \
                     FROM regions # y\n LIMIT 1";
        let prepared = "SELECT name,\n                end_date >= NOW() AS open FROM items WHERE id = ?";
        let expected = [
            (38, "Connect", "bench@127.0.0.1 on auction using TCP/IP"),
            (38, "Query", query),
            (138, "Prepare", prepared),
            (5, "Close stmt", ""),
            (38, "Query", "SELECT 'x"),
            (38, "Init DB", "auction"),
        ];
        assert_eq!(read, expected);
    }

    #[test]
    fn a_literal_that_never_ends_hides_nothing() {
        let log = "\t\t    38 Query\tSELECT 'x\n\t\t    38 Query\tCOMMIT\n";
        assert_eq!(entries(log).len(), 2);
    }

    #[test]
    fn an_empty_log_has_no_entries() {
        assert_eq!(entries(""), []);
        assert_eq!(entries("Time\t\t    Id Command\tArgument\n"), []);
    }
}
