//! Placement of line names in a chart: beside their ends, clear of marks, lines and other names.

use crate::{
    axis::Axis,
    series::{Series, class},
};

#[derive(Debug)]
pub(crate) struct Name<'a> {
    pub(crate) class: String,
    pub(crate) text: &'a str,
    pub(crate) x: f64,
    pub(crate) y: f64,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Area {
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) top: f64,
    pub(crate) bottom: f64,
}

const LETTER: f64 = 8.4;
const HEIGHT: f64 = 15.0;
/// Distance from an edge to the middle of a name beside it.
const APART: f64 = HEIGHT / 2.0 + 1.0;
const GAP: f64 = 10.0;
const MOST_MOVED: f64 = 60.0;
const MARK: f64 = 6.0;
const MOST_WIDTH: f64 = 0.25;
/// Room at the right for half an axis label.
pub(crate) const MARGIN: f64 = 22.0;

/// Width needed beside the lines for all names; none where there is nothing to distinguish, or names would take too
/// much.
pub(crate) fn margin(series: &[Series], across: f64, width: f64, steps: f64) -> Option<f64> {
    let unit = Axis::linear(across, (0.0, 1.0), steps);
    let room = series.iter().filter_map(|series| {
        let end = unit.at(series.line.last()?.0).max(f64::MIN_POSITIVE);
        Some(width - (width - length(&series.name) - GAP) / end)
    });
    let margin = room.fold(MARGIN, f64::max);
    (series.len() > 1 && margin < MOST_WIDTH * width).then_some(margin)
}

fn length(name: &str) -> f64 {
    LETTER * name.chars().count() as f64
}

/// Names of lines, each at the first free place: beside the end, or before the beginning if another line continues
/// there; else shifted, above or below. `within` limits the places. A name without a free place is left to the
/// legend.
pub(crate) fn names<'a>(series: &'a [Series], x: &Axis, y: &Axis, within: Area) -> Vec<Name<'a>> {
    let at = |(across, value): (f64, f64)| (x.at(across), y.at(value));
    let lines: Vec<Vec<(f64, f64)>> =
        series.iter().map(|series| series.line.iter().copied().map(at).collect()).collect();
    let mut taken: Vec<Area> = series.iter().flat_map(|series| marks(series, x, y)).collect();
    let mut each: Vec<(&Series, &[(f64, f64)])> = series
        .iter()
        .zip(&lines)
        .filter(|(_, line)| !line.is_empty())
        .map(|(one, line)| (one, line.as_slice()))
        .collect();
    // From the top down, so that shifted names keep the order of their lines.
    each.sort_by(|one, other| one.1[one.1.len() - 1].1.total_cmp(&other.1[other.1.len() - 1].1));
    let mut names = Vec::new();
    for (one, line) in each {
        let goes_on = lines.iter().any(|other| other.first() == line.last() && other.len() > 1);
        let free = |area: &Area| {
            area.is_within(&within)
                && !taken.iter().any(|other| area.overlaps(other))
                && !lines.iter().any(|line| area.is_crossed_by(line))
        };
        let candidates = candidates(line, length(&one.name), goes_on, &taken);
        if let Some(area) = candidates.into_iter().find(free) {
            names.push(Name {
                class: class(one.index),
                text: &one.name,
                x: area.left,
                y: area.middle_down(),
            });
            taken.push(area);
        }
    }
    names
}

/// Areas taken by a line's marks, with their intervals and single runs.
fn marks<'a>(series: &'a Series, x: &'a Axis, y: &'a Axis) -> impl Iterator<Item = Area> + 'a {
    let marks = series.marks.iter().map(|mark| {
        let (low, high) = mark.interval.unwrap_or((mark.y, mark.y));
        Area::around((x.at(mark.x), y.at(high)), (x.at(mark.x), y.at(low)))
    });
    let runs = series.runs.iter().map(|run| (x.at(run.0), y.at(run.1)));
    marks.chain(runs.map(|run| Area::around(run, run)))
}

/// Candidate places for a line's name, the best first.
fn candidates(line: &[(f64, f64)], length: f64, goes_on: bool, taken: &[Area]) -> Vec<Area> {
    let (begin, end) = (line[0], line[line.len() - 1]);
    let beside = |y: f64| Area::of_text(end.0 + GAP, y, length);
    let before = Area::of_text(begin.0 - GAP - length, begin.1, length);
    let nearest_first = |mut heights: Vec<f64>| {
        heights.retain(|y| (y - end.1).abs() < MOST_MOVED);
        heights.sort_by(|one, other| (one - end.1).abs().total_cmp(&(other - end.1).abs()));
        heights.into_iter().map(beside)
    };
    let lower = nearest_first(taken.iter().map(|area| area.bottom + APART).collect());
    let higher = nearest_first(taken.iter().map(|area| area.top - APART).collect());
    let above = Area::of_text(end.0 - length / 2.0, end.1 - MARK - HEIGHT, length);
    let below = Area::of_text(end.0 - length / 2.0, end.1 + MARK + HEIGHT, length);
    let mut places = vec![beside(end.1)];
    places.extend(lower.chain(higher));
    places.insert(if goes_on { 0 } else { places.len() }, before);
    places.extend([above, below]);
    places
}

impl Area {
    pub(crate) fn middle(&self) -> f64 {
        self.left.midpoint(self.right)
    }

    fn middle_down(&self) -> f64 {
        self.top.midpoint(self.bottom)
    }

    /// The area of a text, from its left end and the height of its middle.
    fn of_text(left: f64, y: f64, length: f64) -> Self {
        Self { left, right: left + length, top: y - HEIGHT / 2.0, bottom: y + HEIGHT / 2.0 }
    }

    fn around((left, top): (f64, f64), (right, bottom): (f64, f64)) -> Self {
        Self { left: left - MARK, right: right + MARK, top: top - MARK, bottom: bottom + MARK }
    }

    fn is_within(&self, other: &Self) -> bool {
        self.left >= other.left
            && self.right <= other.right
            && self.top >= other.top
            && self.bottom <= other.bottom
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    fn is_crossed_by(&self, line: &[(f64, f64)]) -> bool {
        line.windows(2).any(|pair| self.is_crossed_between(pair[0], pair[1]))
    }

    /// True if a straight line crosses the area (Liang and Barsky).
    fn is_crossed_between(&self, from: (f64, f64), to: (f64, f64)) -> bool {
        let (across, down) = (to.0 - from.0, to.1 - from.1);
        let sides = [
            (-across, from.0 - self.left),
            (across, self.right - from.0),
            (-down, from.1 - self.top),
            (down, self.bottom - from.1),
        ];
        let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
        for (towards, distance) in sides {
            if towards == 0.0 && distance < 0.0 {
                return false;
            }
            if towards < 0.0 {
                enters = enters.max(distance / towards);
            } else if towards > 0.0 {
                leaves = leaves.min(distance / towards);
            }
        }
        enters <= leaves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::Mark;

    const WITHIN: Area = Area { left: 58.0, right: 960.0, top: 16.0, bottom: 360.0 };

    fn series(name: &str, index: usize, line: &[(f64, f64)], from: usize) -> Series {
        let mark = |(x, y): &(f64, f64)| Mark {
            x: *x,
            y: *y,
            interval: Some((0.95 * y, 1.05 * y)),
            valid: true,
            text: String::new(),
        };
        Series {
            name: name.to_owned(),
            index,
            line: line.to_vec(),
            marks: line[from..].iter().map(mark).collect(),
            runs: Vec::new(),
        }
    }

    fn placed(series: &[Series]) -> Vec<(String, Area)> {
        let (x, y) = (Axis::linear(10.0, (58.0, 860.0), 10.0), Axis::linear(100.0, (350.0, 26.0), 5.0));
        let names = names(series, &x, &y, WITHIN);
        let areas: Vec<Area> =
            names.iter().map(|name| Area::of_text(name.x, name.y, length(name.text))).collect();
        for (place, area) in areas.iter().enumerate() {
            assert!(area.is_within(&WITHIN), "{area:?}");
            assert!(!areas[..place].iter().any(|other| area.overlaps(other)), "{areas:?}");
            for one in series {
                assert!(!marks(one, &x, &y).any(|mark| area.overlaps(&mark)), "{area:?} over a mark");
                let line: Vec<(f64, f64)> = one.line.iter().map(|at| (x.at(at.0), y.at(at.1))).collect();
                assert!(!area.is_crossed_by(&line), "{area:?} over a line");
            }
        }
        names.iter().map(|name| name.text.to_owned()).zip(areas).collect()
    }

    #[test]
    fn a_way_up_is_named_where_it_begins_because_the_way_down_goes_on_where_it_ends() {
        let up = series("up", 0, &[(1.0, 20.0), (2.0, 90.0), (3.0, 22.0)], 0);
        let down = series("down", 1, &[(3.0, 22.0), (4.0, 40.0), (5.0, 21.0)], 1);
        let names = placed(&[up, down]);
        let of = |name: &str| names.iter().find(|(text, _)| text == name).unwrap().1;
        assert!(of("up").right < 58.0 + 80.2, "{names:?}");
        assert!(of("down").left > 58.0 + 5.0 * 80.2, "{names:?}");
    }

    #[test]
    fn names_of_lines_that_end_close_together_keep_their_order() {
        let ends = [50.0, 51.0, 49.0, 50.5];
        let all: Vec<Series> = ends
            .iter()
            .zip(["B", "A", "D", "C"])
            .enumerate()
            .map(|(index, (end, name))| series(name, index, &[(1.0, 10.0), (10.0, *end)], 0))
            .collect();
        let names = placed(&all);
        assert_eq!(names.len(), 4);
        assert!(names.iter().all(|(_, area)| area.left == 870.0), "all beside their ends: {names:?}");
    }

    #[test]
    fn whatever_the_lines_no_name_lies_over_anything() {
        let mut seed = 7_u64;
        let mut random = move |most: f64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            most * (seed >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut named = 0;
        for _ in 0..500 {
            let all: Vec<Series> = (0..6)
                .map(|index| {
                    let count = 1 + random(6.0) as usize;
                    let line: Vec<(f64, f64)> = (0..count)
                        .map(|place| (1.0 + place as f64 * (1.0 + random(0.5)), random(95.0)))
                        .collect();
                    series("WsPhp-DB", index, &line, 0)
                })
                .collect();
            named += placed(&all).len();
        }
        assert!(named > 2000, "only {named} of 3000 were named");
    }
}
