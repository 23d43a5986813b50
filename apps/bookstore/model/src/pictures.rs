//! The pictures of the items: a thumbnail and an image of each cover, in a hundred folders.
//!
//! A thumbnail has 5 KiB, an image 5, 10, 50, 100 or 250, in the shares of the specification. They are real PNG files:
//! a cover with a frame, a title, an ornament and the lines of an author, in colours of its own. A text chunk at the end
//! fills each up to its size.

use crate::population::{Population, Purpose};
use application::{Dataset, Draws, FileGenerator, Seed};
use png::{BitDepth, ColorType, Compression, Encoder, EncodingError, chunk};
use std::io::{self, Write};

const FOLDERS: i64 = 100;

/// MIME type of all of them.
pub const PNG: &str = "image/png";

/// Sizes of images: percentage, KiB, and width in pixels.
const SIZES: [(u32, usize, u32); 5] =
    [(45, 5, 150), (35, 10, 200), (15, 50, 300), (4, 100, 400), (1, 250, 500)];

/// KiB and width of a thumbnail.
const THUMBNAIL: (usize, u32) = (5, 80);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Thumbnail,
    Image,
}

impl Kind {
    /// The path of a picture, below the bookstore's.
    pub fn path(self, item: i64) -> String {
        let kind = match self {
            Self::Thumbnail => "thumb",
            Self::Image => "image",
        };
        format!("images/{}/{kind}_{item}.png", item % FOLDERS)
    }
}

/// The item and the kind of the picture with this path below the bookstore's, if it has the form of one.
pub fn at(path: &str) -> Option<(i64, Kind)> {
    let (name, number) = path.strip_suffix(".png")?.rsplit_once('_')?;
    let kind = if name.ends_with("thumb") { Kind::Thumbnail } else { Kind::Image };
    let item = number.parse().ok()?;
    (item > 0 && kind.path(item) == path).then_some((item, kind))
}

/// The size of a picture in bytes, and its width in pixels.
fn size(seed: &Seed, item: i64, kind: Kind) -> (usize, u32) {
    let (kib, width) = match kind {
        Kind::Thumbnail => THUMBNAIL,
        Kind::Image => {
            let chosen = seed.draws(Purpose::Picture, item).weighted(&SIZES.map(|(share, ..)| share));
            let (_, kib, width) = SIZES[chosen as usize];
            (kib, width)
        }
    };
    (kib * 1024, width)
}

/// The bytes of a picture: a function of the seed and its item.
pub fn picture(seed: &Seed, item: i64, kind: Kind) -> Vec<u8> {
    let (size, width) = size(seed, item, kind);
    let cover = Cover::new(&mut seed.draws(Purpose::Cover, item), width);
    let bare = cover.encode(None).expect("writing to memory can't fail").len();
    let file = cover.encode(Some(size.saturating_sub(bare + CHUNK))).expect("writing to memory can't fail");
    assert_eq!(file.len(), size, "the cover of item {item} is larger than its file");
    file
}

/// Bytes of a chunk besides its data: length, name and checksum.
const CHUNK: usize = 12;

/// Keyword of the text that fills a file up, ended by a NUL.
const KEYWORD: &[u8] = b"Comment\0";

struct Cover {
    width: u32,
    height: u32,
    /// Paper, frame, title and author, ornament; red, green and blue each.
    palette: [u8; 12],
    /// Lengths of the title's lines, in percent of the width.
    title: Vec<u32>,
    author: u32,
    ornament: Ornament,
}

#[derive(Clone, Copy)]
enum Ornament {
    Disc,
    Diamond,
    Stripes,
}

const PAPER: u8 = 0;
const FRAME: u8 = 1;
const INK: u8 = 2;
const ORNAMENT: u8 = 3;

impl Cover {
    fn new(draws: &mut Draws, width: u32) -> Self {
        let mut shade = |from: i64, to: i64| draws.within(from..=to) as u8;
        let dark = [shade(10, 110), shade(10, 110), shade(10, 110)];
        let bright = [shade(150, 255), shade(150, 255), shade(150, 255)];
        let ornament = [shade(60, 230), shade(60, 230), shade(60, 230)];
        let frame = dark.map(|part| part / 2);
        let mut palette = [0; 12];
        let colours = [dark, frame, bright, ornament];
        palette.iter_mut().zip(colours.as_flattened()).for_each(|(part, colour)| *part = *colour);
        Self {
            width,
            height: width * 3 / 2,
            palette,
            title: (0..draws.within(1..=4)).map(|_| draws.within(30..=70) as u32).collect(),
            author: draws.within(20..=50) as u32,
            ornament: draws.any(&[Ornament::Disc, Ornament::Diamond, Ornament::Stripes]),
        }
    }

    /// The PNG file, with `text` bytes of text at its end.
    fn encode(&self, text: Option<usize>) -> Result<Vec<u8>, EncodingError> {
        let mut file = Vec::new();
        let mut encoder = Encoder::new(&mut file, self.width, self.height);
        encoder.set_color(ColorType::Indexed);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_palette(self.palette.to_vec());
        encoder.set_compression(Compression::Balanced);
        let mut writer = encoder.write_header()?;
        let pixels = (0..self.height).flat_map(|y| (0..self.width).map(move |x| self.pixel(x, y)));
        writer.write_image_data(&pixels.collect::<Vec<_>>())?;
        if let Some(bytes) = text {
            let words = b"A book of the bookstore. ".iter().cycle();
            let data: Vec<u8> = KEYWORD.iter().chain(words).take(bytes).copied().collect();
            writer.write_chunk(chunk::tEXt, &data)?;
        }
        writer.finish()?;
        Ok(file)
    }

    /// The colour at a place, all lengths in percent of the width.
    fn pixel(&self, x: u32, y: u32) -> u8 {
        let (x, y) = (x * 100 / self.width, y * 100 / self.width);
        let line = |row: u32, length: u32| (row..row + 6).contains(&y) && x.abs_diff(50) * 2 < length;
        let is_title = (18..).step_by(10).zip(&self.title).any(|(row, length)| line(row, *length));
        if x < 4 || y < 4 || x >= 96 || y >= 146 {
            FRAME
        } else if is_title || line(132, self.author) {
            INK
        } else if self.is_ornament(x, y) {
            ORNAMENT
        } else {
            PAPER
        }
    }

    fn is_ornament(&self, x: u32, y: u32) -> bool {
        let (x, y) = (x.abs_diff(50), y.abs_diff(95));
        match self.ornament {
            Ornament::Disc => x * x + y * y < 26 * 26,
            Ornament::Diamond => x + y < 30,
            Ornament::Stripes => y < 26 && (x / 5) % 2 == 0,
        }
    }
}

/// All pictures of a dataset's items.
pub struct Pictures {
    seed: Seed,
    items: u64,
}

impl Pictures {
    pub fn new(dataset: &Dataset) -> Self {
        let population = Population::new(dataset);
        Self { seed: Seed::new(dataset.seed), items: population.items.unsigned_abs() }
    }

    fn of(number: u64) -> (i64, Kind) {
        let kind = if number.is_multiple_of(2) { Kind::Thumbnail } else { Kind::Image };
        (number as i64 / 2 + 1, kind)
    }
}

impl FileGenerator for Pictures {
    fn count(&self) -> u64 {
        2 * self.items
    }

    fn path(&self, number: u64) -> String {
        let (item, kind) = Self::of(number);
        format!("bookstore/{}", kind.path(item))
    }

    fn write(&self, number: u64, to: &mut dyn Write) -> io::Result<()> {
        let (item, kind) = Self::of(number);
        to.write_all(&picture(&self.seed, item, kind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use application::Timestamp;
    use std::collections::BTreeMap;

    const DATASET: Dataset = Dataset::new(1, 0.0, Timestamp(1_800_000_000));

    #[test]
    fn pictures_are_found_at_their_paths() {
        let pictures = Pictures::new(&DATASET);
        assert_eq!(
            (pictures.count(), pictures.path(213)),
            (2000, "bookstore/images/7/image_107.png".to_owned())
        );
        for number in 0..pictures.count() {
            let path = pictures.path(number);
            assert_eq!(at(path.strip_prefix("bookstore/").unwrap()), Some(Pictures::of(number)), "{path}");
        }
        for wrong in
            ["images/7/image_108.png", "images/0/thumb_0.png", "images/7/image_107", "image_107.png", ""]
        {
            assert_eq!(at(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn files_have_their_sizes_and_show_what_was_drawn() {
        let pictures = Pictures::new(&DATASET);
        let size_of = |number| {
            let (item, kind) = Pictures::of(number);
            size(&pictures.seed, item, kind).0
        };
        let mut sizes: BTreeMap<usize, u64> = BTreeMap::new();
        for number in 0..pictures.count() {
            *sizes.entry(size_of(number) / 1024).or_default() += 1;
        }
        let expected = [(5, 1450), (10, 350), (50, 150), (100, 40), (250, 10)];
        for (kib, count) in expected {
            let found = sizes.remove(&kib).unwrap_or_default() as f64;
            assert!((found - f64::from(count)).abs() < 4.0 * f64::from(count).sqrt(), "{kib} KiB: {found}");
        }
        assert_eq!(sizes, BTreeMap::new());
        // At least one of each size.
        for number in 0..200 {
            let mut file = Vec::new();
            pictures.write(number, &mut file).unwrap();
            assert_eq!(file.len(), size_of(number));
            let mut reader = png::Decoder::new(io::Cursor::new(&file)).read_info().unwrap();
            let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
            let shown = reader.next_frame(&mut pixels).unwrap();
            assert_eq!((shown.height, pixels[0]), (shown.width * 3 / 2, FRAME));
        }
    }
}
