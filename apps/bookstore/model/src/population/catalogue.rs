//! Authors and items.

use super::{DAY, Population, Purpose};
use crate::rows::{Author, Item};
use crate::{CATALOGUE, digsyl, pictures::Kind, words};
use application::{Cut, Draws, Money, Timestamp, words::FIRSTNAMES, words::LASTNAMES};
use std::ops::RangeInclusive;

/// Days since 1970 of the first and the last day of births of authors (1800 to 1990) and of publications (1930 to 2000).
const BIRTHS: RangeInclusive<i64> = -62_091..=7_669;
const PUBLICATIONS: RangeInclusive<i64> = -14_610..=11_322;

/// Scatters names over numbers; a prime, so that it is coprime to their count.
const SCATTER: i64 = 7_919;

/// Copies of a delivery, and the least stock of an item.
pub const DELIVERY: i64 = 21;
pub const LEAST_STOCK: i64 = 10;

impl Population {
    /// The largest numbers of the names of authors and of books.
    pub fn names(&self) -> (i64, i64) {
        (self.items / 10, self.items / 5)
    }

    pub(super) fn author(&self, id: i64) -> Author {
        let draws = &mut self.seed.draws(Purpose::Author, id);
        Author {
            a_id: id,
            a_fname: draws.any(&FIRSTNAMES).to_owned(),
            a_lname: scattered(id, self.names().0),
            a_mname: draws.any(&LASTNAMES).to_owned(),
            a_dob: Timestamp(draws.within(BIRTHS) * DAY),
            a_bio: self.text(125..=500, draws),
        }
    }

    pub(super) fn item(&self, id: i64) -> Item {
        let draws = &mut self.seed.draws(Purpose::Item, id);
        let (srp, cost) = self.prices(id);
        let published = draws.within(PUBLICATIONS);
        let [one, two, three, four, five] = self.five_others(id, draws);
        Item {
            i_id: id,
            i_title: format!(
                "{} {} {}",
                scattered(id, self.names().1),
                draws.any(&words::ADJECTIVES),
                draws.any(&words::NOUNS)
            ),
            i_a_id: if id <= self.authors { id } else { draws.within(1..=self.authors) },
            i_pub_date: Timestamp(published * DAY),
            i_publisher: draws.any(&words::PUBLISHERS).to_owned(),
            i_subject: subject(draws),
            i_desc: self.text(100..=500, draws),
            i_related1: one,
            i_related2: two,
            i_related3: three,
            i_related4: four,
            i_related5: five,
            i_thumbnail: Kind::Thumbnail.path(id),
            i_image: Kind::Image.path(id),
            i_srp: srp,
            i_cost: cost,
            i_avail: Timestamp((published + draws.within(1..=30)) * DAY),
            i_stock: LEAST_STOCK + (id - self.sold(id) - LEAST_STOCK).rem_euclid(DELIVERY),
            i_isbn: (0..13).map(|_| char::from(b'0' + draws.below(10) as u8)).collect(),
            i_page: draws.within(20..=9_999),
            i_backing: draws.any(&words::BACKINGS).to_owned(),
            i_dimensions: [(); 3].map(|()| Money(draws.within(1..=9_999)).to_string()).join("x"),
        }
    }

    /// The suggested price of an item, and its own price: 0 to 50 % less.
    pub(super) fn prices(&self, id: i64) -> (Money, Money) {
        let draws = &mut self.seed.draws(Purpose::Price, id);
        let srp = Money(draws.within(100..=99_999));
        (srp, crate::store::reduced(srp, draws.within(0..=50)))
    }

    /// Five items that differ from this one and from each other.
    fn five_others(&self, id: i64, draws: &mut Draws) -> [i64; 5] {
        let mut others = [0; 5];
        for at in 0..others.len() {
            while others[at] == 0 || others[at] == id || others[..at].contains(&others[at]) {
                others[at] = draws.within(1..=self.items);
            }
        }
        others
    }

    pub(super) fn text(&self, bytes: RangeInclusive<usize>, draws: &mut Draws) -> String {
        self.prose().cut(Cut::new(bytes, draws)).to_owned()
    }
}

/// The name with a number from 0 to `largest`, scattered over the ids.
fn scattered(id: i64, largest: i64) -> String {
    digsyl::name((id * SCATTER % (largest + 1)).unsigned_abs())
}

/// A subject that can be asked for.
pub fn subject(draws: &mut Draws) -> String {
    let subjects = subjects();
    subjects[draws.below(subjects.len() as i64) as usize].clone()
}

/// All subjects, which app.toml lists.
pub fn subjects() -> &'static [String] {
    let interactions = CATALOGUE.interactions().iter().flat_map(|interaction| &interaction.parameters);
    let subject = interactions.into_iter().find(|parameter| parameter.name == "SUBJECT");
    subject.map_or(&[], |parameter| &parameter.one_of)
}
