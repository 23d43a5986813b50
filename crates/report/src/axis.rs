//! Chart axes: positions of values, and round-numbered ticks.

use crate::number;

pub(crate) struct Tick {
    pub(crate) at: String,
    pub(crate) label: String,
}

const LOGARITHMIC_TICKS: usize = 8;

pub(crate) struct Axis {
    values: (f64, f64),
    place: (f64, f64),
    logarithmic: bool,
    ticks: Vec<f64>,
}

impl Axis {
    pub(crate) fn linear(highest: f64, place: (f64, f64), count: f64) -> Self {
        let highest = if highest > 0.0 { highest } else { 1.0 };
        let rough = highest / count;
        let power = 10_f64.powf(rough.log10().floor());
        let step =
            [1.0, 2.0, 5.0, 10.0].into_iter().find(|step| step * power >= rough).unwrap_or(10.0) * power;
        let steps = (highest / step).ceil();
        let ticks = (0..=steps as u32).map(|index| f64::from(index) * step).collect();
        Self { values: (0.0, steps * step), place, logarithmic: false, ticks }
    }

    /// An axis with ticks at one, two and five times powers of ten; over many decades at powers alone.
    pub(crate) fn logarithmic((lowest, highest): (f64, f64), place: (f64, f64)) -> Self {
        let (first, last) = (lowest.log10().floor() as i32 - 1, highest.log10().ceil() as i32 + 1);
        let decades = first..=last;
        let steps: Vec<f64> =
            decades.flat_map(|power| [1.0, 2.0, 5.0].map(|step| step * 10_f64.powi(power))).collect();
        let below = steps.iter().rposition(|step| *step <= lowest).unwrap_or(0);
        let above = steps.iter().position(|step| *step >= highest).unwrap_or(steps.len() - 1);
        let above = above.max(below + 1);
        let mut ticks = steps[below..=above].to_vec();
        let values = (steps[below], steps[above]);
        if ticks.len() > LOGARITHMIC_TICKS {
            ticks.retain(|tick| (tick.log10() - tick.log10().round()).abs() < 1e-9);
        }
        Self { values, place, logarithmic: true, ticks }
    }

    pub(crate) fn top(&self) -> f64 {
        self.values.1
    }

    pub(crate) fn at(&self, value: f64) -> f64 {
        let scale = |value: f64| if self.logarithmic { value.log10() } else { value };
        let (low, high) = self.values;
        let share = (scale(value.clamp(low, high)) - scale(low)) / (scale(high) - scale(low));
        self.place.0 + share * (self.place.1 - self.place.0)
    }

    pub(crate) fn ticks(&self) -> Vec<Tick> {
        self.ticks
            .iter()
            .map(|tick| Tick { at: format!("{:.1}", self.at(*tick)), label: label(*tick) })
            .collect()
    }
}

/// A tick's value without needless decimals, nor the traces of binary fractions (3 × 0.1).
fn label(value: f64) -> String {
    if value >= 1.0 && value.fract() == 0.0 {
        number::count(value as u64)
    } else {
        ((value * 1e6).round() / 1e6).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn an_axis_begins_at_zero_and_ends_at_a_round_number_above_all_values() {
        for (highest, last, steps) in [(935.0, 1000.0, 5), (1.0, 1.0, 5), (4200.0, 5000.0, 5), (0.0, 1.0, 5)]
        {
            let axis = Axis::linear(highest, (100.0, 0.0), 5.0);
            assert_eq!((axis.values, axis.ticks.len()), ((0.0, last), steps + 1), "{highest}");
            assert_eq!((axis.at(0.0), axis.at(last)), (100.0, 0.0));
        }
    }

    #[test]
    fn ticks_are_labelled_as_people_write_them() {
        let labels: Vec<String> =
            Axis::linear(0.5, (0.0, 1.0), 5.0).ticks().into_iter().map(|tick| tick.label).collect();
        assert_eq!(labels, ["0", "0.1", "0.2", "0.3", "0.4", "0.5"]);
        assert_eq!([label(20_000.0), label(2.5), label(0.001)], ["20,000", "2.5", "0.001"]);
    }

    #[test]
    fn a_logarithmic_axis_ends_at_round_numbers_around_all_values() {
        let axis = Axis::logarithmic((3.0, 45.0), (0.0, 30.0));
        assert_eq!(
            (axis.values, axis.ticks.as_slice()),
            ((2.0, 50.0), [2.0, 5.0, 10.0, 20.0, 50.0].as_slice())
        );
        assert!((axis.at(10.0) - 15.0).abs() < 1e-9, "{}", axis.at(10.0));
        let wide = Axis::logarithmic((3.0, 4500.0), (0.0, 30.0));
        assert_eq!((wide.values, wide.ticks.as_slice()), ((2.0, 5000.0), [10.0, 100.0, 1000.0].as_slice()));
        let one = Axis::logarithmic((1.0, 1.0), (0.0, 1.0));
        assert_eq!(one.ticks, [1.0, 2.0]);
    }
}
