//! Chart series of configurations: values with marks, colour and shape.

#[derive(Debug)]
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) index: usize,
    /// A place for each VALID load, by rising load.
    pub(crate) line: Vec<(f64, f64)>,
    /// Loads, and INVALID points.
    pub(crate) marks: Vec<Mark>,
    /// Single runs of loads that were measured several times.
    pub(crate) runs: Vec<(f64, f64)>,
}

#[derive(Debug)]
pub(crate) struct Mark {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) interval: Option<(f64, f64)>,
    /// Filled if valid; otherwise small, hollow and crossed, drawn below the others.
    pub(crate) valid: bool,
    pub(crate) text: String,
}

/// The cross over an INVALID mark.
pub(crate) fn cross(x: f64, y: f64) -> String {
    format!("M{:.1} {:.1}l8 8m0 -8l-8 8", x - 4.0, y - 4.0)
}

const PALETTE: usize = 6;

/// The classes of what belongs to a configuration: its colour, and itself, by which it can be hidden.
pub(crate) fn class(index: usize) -> String {
    format!("{} {}", colour(index), own_class(index))
}

pub(crate) fn colour(index: usize) -> String {
    format!("s{}", index % PALETTE)
}

pub(crate) fn own_class(index: usize) -> String {
    format!("k{index}")
}

/// A configuration's shape around a place: circle, square, diamond, triangle up, triangle down, hexagon. Colours that
/// recur come with other shapes.
pub(crate) fn shape(index: usize, x: f64, y: f64) -> String {
    sized(index, x, y, 1.0)
}

pub(crate) fn small_shape(index: usize, x: f64, y: f64) -> String {
    sized(index, x, y, 0.85)
}

fn sized(index: usize, x: f64, y: f64, size: f64) -> String {
    let outline: &[(f64, f64)] = match (index + index / PALETTE) % PALETTE {
        0 => {
            let radius = 4.5 * size;
            let (left, across) = (x - radius, 2.0 * radius);
            return format!(
                "M{left:.1} {y:.1}a{radius} {radius} 0 1 0 {across} 0a{radius} {radius} 0 1 0 -{across} 0z"
            );
        }
        1 => &[(-4.0, -4.0), (4.0, -4.0), (4.0, 4.0), (-4.0, 4.0)],
        2 => &[(0.0, -5.5), (5.5, 0.0), (0.0, 5.5), (-5.5, 0.0)],
        3 => &[(0.0, -5.6), (5.2, 3.4), (-5.2, 3.4)],
        4 => &[(0.0, 5.6), (5.2, -3.4), (-5.2, -3.4)],
        _ => &[(-2.5, -4.3), (2.5, -4.3), (5.0, 0.0), (2.5, 4.3), (-2.5, 4.3), (-5.0, 0.0)],
    };
    let corners: Vec<String> = outline
        .iter()
        .map(|(across, down)| format!("{:.1} {:.1}", x + size * across, y + size * down))
        .collect();
    format!("M{}z", corners.join("L"))
}
