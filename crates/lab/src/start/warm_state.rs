//! The state of servers after their warm-up.

use engine::WriteFates;
use results::{Audit, StartUp, WarmUp, WarmUpEnd};
use stack::TiersUse;
use stats::WarmSecond;

pub(crate) struct WarmState {
    /// The figures of each mix that warmed them, in their order.
    pub figures: Vec<WarmUp>,
    /// The record of the start until each of them was warm.
    pub start_ups: Vec<StartUp>,
    /// The audit before the data were restored; none where there is no store.
    pub audit: Option<Audit>,
    /// Writes that were still in doubt then, and may be made yet.
    pub in_doubt_writes: Vec<WriteFates>,
    /// True if there are compilers inside the servers.
    pub has_compilers: bool,
}

impl WarmState {
    /// The figures for a load that followed, by the nth of these mixes.
    pub(crate) fn figures_of(&self, nth: usize, is_settling: bool) -> WarmUp {
        let figures = self.figures[nth];
        let ended = match figures.ended {
            WarmUpEnd::Evidence if is_settling => WarmUpEnd::AtMost,
            ended => ended,
        };
        WarmUp { ended, ..figures }
    }
}

/// The figures of a second of a warm-up in which so many interactions completed.
pub(crate) fn second(used: &TiersUse, completed: u64) -> WarmSecond {
    let cpu_s = used.cpu_s();
    let compilers = if cpu_s > 0.0 { used.compilers_s / cpu_s } else { 0.0 };
    WarmSecond { cpu_ms: cpu_s * 1e3 / completed as f64, compilers }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warm_up(ended: WarmUpEnd) -> WarmUp {
        WarmUp { ended, ..specimens::warm_up() }
    }

    #[test]
    fn servers_whose_compilers_never_rest_are_not_warm() {
        use WarmUpEnd::{AtMost, Evidence, Smoke};
        let ends = |ended, is_settling| {
            let figures = warm_up(ended);
            let warmed = WarmState {
                figures: vec![warm_up(Smoke), figures],
                start_ups: Vec::new(),
                audit: None,
                in_doubt_writes: Vec::new(),
                has_compilers: true,
            };
            let of_load = warmed.figures_of(1, is_settling);
            assert_eq!(WarmUp { ended, ..of_load }, figures);
            of_load.ended
        };
        assert_eq!([Evidence, AtMost, Smoke].map(|ended| ends(ended, false)), [Evidence, AtMost, Smoke]);
        assert_eq!([Evidence, AtMost, Smoke].map(|ended| ends(ended, true)), [AtMost, AtMost, Smoke]);
    }
}
