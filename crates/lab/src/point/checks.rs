//! The checks of a verdict beside those of the load: that its servers were warm, and that no data were lost.

use results::{Account, Audit, Check, CheckId, PageSample, Restore, WarmUp, WarmUpEnd};

/// The check that servers were warm: cold ones are slower than they will be.
pub(super) fn warm_servers(warm_up: Option<&WarmUp>) -> Check {
    let limit = warm_up.and_then(|warm_up| warm_up.at_most_s);
    let within = limit.map_or(String::new(), |limit| format!(" within {limit:.0} s"));
    let threshold = format!("CPU per interaction has stopped falling{within}");
    let Some(WarmUp { seconds, cpu_ms_first, cpu_ms_last, ended, writes, restore, .. }) = warm_up else {
        return Check::not_judged(CheckId::WarmServers, "nothing was to be warmed".into(), threshold);
    };
    let from_to = cpu_ms_first.zip(*cpu_ms_last).map_or("nothing completed".to_owned(), |(first, last)| {
        format!("{first:.2} ms CPU per interaction in the first second, {last:.2} ms in the last")
    });
    let figure = match ended {
        WarmUpEnd::Evidence => format!("warm after {seconds:.0} s: {from_to}"),
        WarmUpEnd::AtMost => format!("still falling, or a compiler at work, after {seconds:.0} s: {from_to}"),
        WarmUpEnd::Smoke => {
            let why = format!("a smoke run warms servers for {seconds:.0} s only");
            return Check::not_judged(CheckId::WarmServers, why, threshold);
        }
    };
    let data = match restore {
        Some(Restore { rows, .. }) => format!("then the data were restored: {rows} rows, as loaded"),
        None if *writes == 0 => "nothing was written meanwhile".to_owned(),
        None => "what was written meanwhile stays, since there is no store to restore".to_owned(),
    };
    Check::new(CheckId::WarmServers, *ended != WarmUpEnd::AtMost, format!("{figure}; {data}"), threshold)
}

/// The check that the audit found no fault: a configuration that loses data wins nothing.
pub(super) fn audit(audit: Option<&Audit>) -> Check {
    let threshold =
        "no violation, every acknowledged row there once, as sent, and no loaded row changed".to_owned();
    let Some(audit) = audit else {
        return Check::not_judged(CheckId::Audit, "no store to look into".into(), threshold);
    };
    let faults = audit.faults();
    let acknowledged: u64 = audit.accounts.iter().map(|account| account.acknowledged).sum();
    let figure = match faults.as_slice() {
        [] => {
            let sum = |of: fn(&Account) -> u64| audit.accounts.iter().map(of).sum::<u64>();
            let (compared, checked) = (sum(|account| account.compared), sum(|account| account.checked));
            let pages = match &audit.pages {
                Some(PageSample { skipped: Some(why), .. }) => format!("no pages, since {why}"),
                Some(PageSample { compared, .. }) => format!("{compared} pages"),
                None => "no pages".to_owned(),
            };
            format!(
                "{} invariants hold, {acknowledged} acknowledged rows are there; compared: {compared} of them, {checked} \
                 loaded rows, {pages} (looked at in {:.1} s)",
                audit.findings.len(),
                audit.seconds
            )
        }
        faults => faults.join("; "),
    };
    Check::new(CheckId::Audit, faults.is_empty(), figure, threshold)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warm_up(ended: WarmUpEnd) -> WarmUp {
        WarmUp { ended, ..specimens::warm_up() }
    }

    #[test]
    fn only_servers_that_are_known_to_be_cold_fail() {
        let seen = |ended| {
            let check = warm_servers(Some(&warm_up(ended)));
            (check.passed, check.figure)
        };
        let from_to = "2.35 ms CPU per interaction in the first second, 0.30 ms in the last";
        let data = "then the data were restored: 1234 rows, as loaded";
        assert_eq!(seen(WarmUpEnd::Evidence), (true, format!("warm after 12 s: {from_to}; {data}")));
        let cold = format!("still falling, or a compiler at work, after 12 s: {from_to}; {data}");
        assert_eq!(seen(WarmUpEnd::AtMost), (false, cold));
        for open in [warm_servers(Some(&warm_up(WarmUpEnd::Smoke))), warm_servers(None)] {
            assert!(open.passed && open.judged == stats::Extent::Nothing, "{open:?}");
        }
        let mute = WarmUp { cpu_ms_first: None, cpu_ms_last: None, ..warm_up(WarmUpEnd::AtMost) };
        assert!(warm_servers(Some(&mute)).figure.contains("nothing completed; then"));
        let kept = WarmUp { restore: None, ..warm_up(WarmUpEnd::Evidence) };
        assert!(warm_servers(Some(&kept)).figure.contains("what was written meanwhile stays"));
        assert!(
            warm_servers(Some(&WarmUp { writes: 0, ..kept }))
                .figure
                .ends_with("; nothing was written meanwhile")
        );
    }
}
