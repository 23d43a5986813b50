//! Generates the people and messages of a dataset.
//!
//! At scale 1 there are 1000 people with 20 to 40 messages each, of 1 to 100 KB: as many of 1 to 10 KB as of 10 to 100 KB,
//! so that the mean is the 20 KB of the study. The messages are of all common sorts, the unpopular ones included.

use crate::{
    rows::{INBOX, Message, Person, address, message_id},
    source::{Attachment, Letter, Sort},
};
use application::{
    Cut, Dataset, Declared, Distribution, Draws, Figure, Generator, MOST_BYTES, Of, Property, Prose, Seed,
    Table, Timestamp, Value, words,
};
use std::ops::{Range, RangeInclusive};

/// People at scale 1.
const PEOPLE: f64 = 1000.0;
/// The fewest people.
const LEAST: u64 = 20;
/// Messages of an inbox.
const MESSAGES: RangeInclusive<i64> = 20..=40;
/// Length of the shortest message, in bytes.
const SHORTEST: f64 = 1_000.0;
/// Ratio of the longest to the shortest message.
const SPREAD: f64 = 100.0;
/// Letters of a line.
const LINE: usize = 72;
/// The longest time between two messages of an inbox, in seconds.
const GAP: i64 = 86_400;

/// Purposes of random streams.
const PERSON: u16 = 0;
const INBOXES: u16 = 1;
const MESSAGE: u16 = 2;
const PROSE: u16 = 3;

/// Sorts of messages with their weights in percent.
const SORTS: [(Sort, u32); 7] = [
    (Sort::Ascii, 30),
    (Sort::Quoted, 20),
    (Sort::Latin, 10),
    (Sort::Base64, 10),
    (Sort::Alternative, 10),
    (Sort::Mixed, 12),
    (Sort::Html, 8),
];

/// Words of subjects; some need escaping, some aren't ASCII.
const SUBJECTS: [&str; 14] = [
    "Meeting",
    "on Monday",
    "Re:",
    "lunch",
    "<b>urgent</b>",
    "Q&A",
    "the \"final\" version",
    "Größe",
    "Łódź",
    "naïve questions",
    "'quoted'",
    "budget 2027",
    "日本語",
    "holidays",
];

/// Names of attachments, with their types.
const FILES: [(&str, &str); 4] = [
    ("notes.txt", "application/octet-stream"),
    ("photo <1>.jpg", "image/jpeg"),
    ("Übersicht.pdf", "application/pdf"),
    ("a \"b\".bin", "application/octet-stream"),
];

pub struct Population {
    seed: Seed,
    people: u64,
    history: Timestamp,
    distribution: Distribution,
    prose: Prose,
}

impl Population {
    pub fn new(dataset: &Dataset) -> Self {
        let seed = Seed::new(dataset.seed);
        Self {
            people: people(dataset),
            history: dataset.history,
            distribution: dataset.distribution,
            prose: Prose::new(seed.draws(PROSE, 0)),
            seed,
        }
    }

    pub fn people(&self) -> impl Iterator<Item = Person> + '_ {
        (1..=self.people as i64).map(|id| self.person(id))
    }

    pub fn person(&self, id: i64) -> Person {
        let draws = &mut self.seed.draws(PERSON, id);
        Person {
            id,
            nickname: nickname(id as u64),
            firstname: draws.any(&words::FIRSTNAMES).to_owned(),
            lastname: draws.any(&words::LASTNAMES).to_owned(),
            address: address(&nickname(id as u64)),
            password: password(id as u64),
        }
    }

    /// The messages of a person's inbox, the oldest first.
    pub fn letters(&self, person: i64) -> impl Iterator<Item = Letter> + '_ {
        let draws = &mut self.seed.draws(INBOXES, person);
        let usual = draws.within(MESSAGES);
        let count = match self.distribution {
            Distribution::Uniform => usual,
            // One in ten keeps everything.
            Distribution::Skewed if draws.percent(10) => 10 * usual,
            Distribution::Skewed => usual / 2,
        };
        (1..=count).map(move |uid| self.letter(person, uid, count))
    }

    fn letter(&self, person: i64, uid: i64, count: i64) -> Letter {
        let draws = &mut self.seed.draws(MESSAGE, person * 10_000 + uid);
        let weights = SORTS.map(|(_, weight)| weight);
        let sort = SORTS[draws.weighted(&weights) as usize].0;
        let sender = self.person(draws.within(1..=self.people as i64));
        let subject: Vec<&str> = (0..draws.within(1..=4)).map(|_| draws.any(&SUBJECTS)).collect();
        let bytes = (SHORTEST * SPREAD.powf(draws.below(1 << 20) as f64 / f64::from(1 << 20))) as usize;
        let attached = if sort == Sort::Mixed { bytes * 2 / 3 } else { 0 };
        let text = self.text(sort, bytes - attached, draws);
        let attachment = (sort == Sort::Mixed).then(|| {
            let (name, kind) = draws.any(&FILES);
            Attachment { name, kind, bytes: (0..attached).map(|_| draws.below(256) as u8).collect() }
        });
        let date = self.history + -((count - uid) * GAP + draws.below(GAP) + 1);
        let message = Message {
            id: message_id(person, INBOX, uid as u32),
            owner: nickname(person as u64),
            folder: INBOX.to_owned(),
            sender: sender.address.clone(),
            recipient: address(&nickname(person as u64)),
            subject: subject.join(" "),
            date,
            text,
            attachments: attachment.iter().map(Attachment::line).collect(),
            deleted: 0,
        };
        Letter { message, sender, sort, attachment }
    }

    /// Paragraphs of broken lines.
    fn text(&self, sort: Sort, bytes: usize, draws: &mut Draws) -> String {
        let mut text = String::from(sort.beginning());
        while text.len() < bytes {
            let length = (bytes - text.len()).clamp(40, MOST_BYTES);
            let paragraph = self.prose.cut(Cut::new(length..=length, draws));
            let mut column = 0;
            for word in paragraph.split(' ') {
                let separator = match column {
                    0 => "",
                    _ if column + word.len() > LINE => {
                        column = 0;
                        "\n"
                    }
                    _ => " ",
                };
                text.push_str(separator);
                text.extend(word.chars().map(|letter| if sort.can_say(letter) { letter } else { '?' }));
                column += word.len() + 1;
            }
            text.push_str("\n\n");
        }
        text.trim_end().to_owned()
    }
}

pub fn people(dataset: &Dataset) -> u64 {
    ((PEOPLE * dataset.scale).round() as u64).max(LEAST)
}

pub fn nickname(number: u64) -> String {
    format!("user{number}")
}

pub fn password(number: u64) -> String {
    format!("password{number}")
}

impl Generator for Population {
    fn units(&self, _: &Table) -> u64 {
        self.people
    }

    fn rows(&self, table: &Table, units: Range<u64>, take: &mut dyn FnMut(&[Value])) {
        for id in units.map(|unit| unit as i64 + 1) {
            match table.name {
                "people" => take(&self.person(id).into_values()),
                _ => self.letters(id).for_each(|letter| take(&letter.message.into_values())),
            }
        }
    }
}

/// Declared properties of a dataset's rows.
pub fn properties(dataset: &Dataset) -> Vec<Property> {
    let length = |row: &[Value]| match &row[7] {
        Value::Text(text) => Some((text.len() as f64).log10()),
        _ => None,
    };
    let of = |name, tables: &'static [&'static str], figure: Figure, declared| Property {
        name,
        tables,
        of: Of::Rows(figure),
        bins: None,
        declared: vec![declared],
    };
    vec![
        of("people", &["people"], Box::new(|_| Some(1.0)), Declared::Count(people(dataset))),
        of("digits of the bytes of a text", &["messages"], Box::new(length), Declared::Within(2.0, 5.1)),
    ]
}
