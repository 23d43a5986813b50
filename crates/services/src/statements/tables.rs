//! Tables named in a statement.
//!
//! This needs no grammar: tables follow few words, in lists, and a column may have a table's name. Tables touched by
//! views or triggers are not visible.

use super::{
    sql::{Dialect, Piece, tokens},
    transactions::is_plain_read,
};
use std::collections::BTreeSet;

/// Tables that a statement reads, writes or locks: in lower case, without quotes and schema.
pub(super) fn tables(statement: &str, dialect: Dialect) -> BTreeSet<String> {
    let pieces: Vec<Piece<'_>> = tokens(statement, dialect)
        .map(|token| token.piece)
        .filter(|piece| !matches!(piece, Piece::Space | Piece::Comment))
        .collect();
    let mut reader =
        Reader { levels: vec![Level { is_query: true, list: List::None }], found: BTreeSet::new() };
    for (at, piece) in pieces.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| pieces[before]);
        reader.read(*piece, before, pieces.get(at + 1).copied());
    }
    reader.found
}

/// True if a traced statement does nothing but read these tables.
pub fn reads_only(statement: &str, tables_read: &BTreeSet<String>) -> bool {
    // Both dialects' quotes are read: a traced statement has no other literals.
    let of = |dialect| tables(statement, dialect);
    let named: BTreeSet<String> = &of(Dialect::Mariadb) | &of(Dialect::Postgresql);
    is_plain_read(statement) && !named.is_empty() && named.is_subset(tables_read)
}

struct Reader {
    /// One for the statement, and one for each open bracket.
    levels: Vec<Level>,
    found: BTreeSet<String>,
}

struct Level {
    /// True if its FROM may have tables: that of `EXTRACT(YEAR FROM date)` has none.
    is_query: bool,
    list: List,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum List {
    None,
    Expects,
    /// After a name; a comma announces another.
    Continues,
}

const MODIFIERS: [&str; 4] = ["IGNORE", "LATERAL", "LOW_PRIORITY", "ONLY"];
/// Words that end a list of tables. ON doesn't: `FROM a LEFT JOIN b ON (…), c`.
const ENDS: [&str; 13] = [
    "DUPLICATE",
    "EXCEPT",
    "FOR",
    "GROUP",
    "HAVING",
    "INTERSECT",
    "LIMIT",
    "ORDER",
    "RETURNING",
    "SET",
    "UNION",
    "VALUES",
    "WHERE",
];

fn is_one_of(word: &str, words: &[&str]) -> bool {
    words.iter().any(|known| known.eq_ignore_ascii_case(word))
}

impl Reader {
    fn read(&mut self, piece: Piece<'_>, before: Option<Piece<'_>>, next: Option<Piece<'_>>) {
        let is_in_brackets = self.levels.len() > 1;
        let Some(level) = self.levels.last_mut() else { return };
        match piece {
            Piece::Mark('(') => {
                if level.list == List::Expects {
                    // A subquery in the place of a table.
                    level.list = List::Continues;
                }
                self.levels.push(Level { is_query: false, list: List::None });
            }
            Piece::Mark(')') if is_in_brackets => drop(self.levels.pop()),
            Piece::Mark(',') if level.list == List::Continues => level.list = List::Expects,
            Piece::Word(word) => match level.of(word, before) {
                Some(list) => level.list = list,
                None => self.name(word, next),
            },
            Piece::Name(name) => self.name(name.trim_matches(['`', '"']), next),
            _ => {}
        }
    }

    /// A name counts where one is expected, unless it is a schema's.
    fn name(&mut self, name: &str, next: Option<Piece<'_>>) {
        let Some(level) = self.levels.last_mut() else { return };
        if level.list == List::Expects && next != Some(Piece::Mark('.')) {
            level.list = List::Continues;
            self.found.insert(name.to_lowercase());
        }
    }
}

impl Level {
    /// State of the list after this word; none if it is no keyword here.
    fn of(&mut self, word: &str, before: Option<Piece<'_>>) -> Option<List> {
        let follows =
            |words: &[&str]| matches!(before, Some(Piece::Word(before)) if is_one_of(before, words));
        let is = |keyword| is_one_of(word, &[keyword]);
        if is("SELECT") {
            self.is_query = true;
            return Some(List::None);
        }
        // `FOR UPDATE`, `ON DUPLICATE KEY UPDATE`, `IS DISTINCT FROM`.
        let begins = is("FROM") && self.is_query && !follows(&["DISTINCT"])
            || is("UPDATE") && !follows(&["FOR", "KEY"])
            || is_one_of(word, &["INTO", "JOIN", "TABLE", "TABLES"]);
        match word {
            _ if begins => Some(List::Expects),
            word if is_one_of(word, &ENDS) => Some(List::None),
            word if self.list == List::Expects && is_one_of(word, &MODIFIERS) => Some(List::Expects),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(statement: &str) -> String {
        let dialect = if statement.contains(['"', '$']) { Dialect::Postgresql } else { Dialect::Mariadb };
        tables(statement, dialect).into_iter().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn tables_are_found_wherever_they_stand() {
        for (statement, expected) in [
            ("SELECT id, buy_now FROM items i WHERE id = ? FOR UPDATE", "items"),
            ("SELECT a.x, comments FROM a, b AS c, `d` WHERE a.x IN (?, ?) ORDER BY x, y", "a b d"),
            (
                "SELECT 1 FROM a JOIN b USING (id) LEFT OUTER JOIN c ON (c.id = b.id), d t2 WHERE e = f",
                "a b c d",
            ),
            ("SELECT a FROM (SELECT b FROM c, d GROUP BY b, e) f, g WHERE h IN (SELECT i FROM j)", "c d g j"),
            ("SELECT a FROM b UNION ALL SELECT c, d FROM e LIMIT ?, ?", "b e"),
            ("SELECT EXTRACT(YEAR FROM date), TRIM(BOTH ? FROM x) FROM items", "items"),
            ("INSERT INTO bids (user_id, item_id) VALUES (?, ?), (?, NOW())", "bids"),
            ("INSERT IGNORE INTO a SELECT b, c FROM d ON DUPLICATE KEY UPDATE x = ?, y = ?", "a d"),
            ("UPDATE LOW_PRIORITY items, users SET a = ?, b = ? WHERE c = d", "items users"),
            ("DELETE FROM shop.carts WHERE id = ?", "carts"),
            ("LOCK TABLES items AS i WRITE, users READ", "items users"),
            ("SELECT u1_0.\"ID\" FROM \"USERS\" u1_0 WHERE a IS DISTINCT FROM b AND c = $1", "users"),
            ("select x from only items for no key update", "items"),
            ("START TRANSACTION", ""),
            ("UNLOCK TABLES", ""),
            ("SELECT NOW()", ""),
            ("SET autocommit=?", ""),
            (")) FROM", ""),
            ("", ""),
        ] {
            assert_eq!(found(statement), expected, "{statement}");
        }
    }
}
