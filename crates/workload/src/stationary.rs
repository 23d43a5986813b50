//! The stationary behaviour of a mix: the share of each interaction, and the length of sessions.
//!
//! It is computed for users as [`crate::Session`] walks them, on pages that offer every link and form: pages reached by GET
//! are on the history, answers to posted forms are not; going back over the first page leads to the first page; and after
//! each think time a session ends with the same small probability. Sessions end after a length of time, so that slow
//! servers shorten them in requests, by the ratio of response and think times.

use crate::pushdown::Walk;
use crate::think::{chance_to_outlast, chance_to_stay, mean_thought};
use crate::{Catalogue, Effect, InteractionId, Method, Mix, Step};
use std::time::Duration;

/// Sessions of users who don't think have infinitely many requests; they are limited to a mean of a million.
const MOST_TO_STAY: f64 = 1.0 - 1e-6;

/// The stationary mix. Shares are of all requests, including back steps and static pages.
#[derive(Debug, Clone)]
pub struct Stationary {
    shares: Vec<f64>,
    /// Share of requests that change data.
    pub read_write: f64,
    /// Share of back steps.
    pub back: f64,
    /// Mean requests of a session.
    pub requests: f64,
    /// Mean time between the first requests of a session and of the next.
    pub length: Duration,
}

impl Stationary {
    /// The stationary mix with the application's think time and session length, and immediate answers.
    pub fn of(mix: &Mix, catalogue: &Catalogue) -> Self {
        let (think_time, session_length) = (catalogue.think_time.0, catalogue.session_length.0);
        Self::expected(mix, catalogue, think_time, session_length, Duration::ZERO)
    }

    /// The stationary mix of endless sessions, which is the stationary distribution of the mix's chain.
    pub fn endless(mix: &Mix, catalogue: &Catalogue) -> Self {
        Self::expected(mix, catalogue, Duration::ZERO, Duration::from_secs(1), Duration::ZERO)
    }

    /// The stationary mix with these means of think time, session length and response time. Only the mean of response
    /// times matters, as long as they are much shorter than sessions.
    pub fn expected(
        mix: &Mix,
        catalogue: &Catalogue,
        think_time: Duration,
        session_length: Duration,
        mean_response: Duration,
    ) -> Self {
        let stays =
            chance_to_stay(think_time, session_length) * chance_to_outlast(mean_response, session_length);
        let stays = stays.min(MOST_TO_STAY);
        let walk = walk(mix, catalogue, stays);
        let visits = walk.visits().expect("a session that may end at each step ends");
        let requests: f64 = visits.iter().sum();
        let back: f64 = visits.iter().zip(&walk.back).map(|(visits, back)| visits * back).sum();
        let shares: Vec<f64> = visits.iter().map(|visits| visits / requests).collect();
        let writes = catalogue.ids().filter(|id| catalogue.get(*id).effect == Effect::Write);
        Self {
            read_write: writes.map(|id| shares[id.index()]).sum(),
            back: back / requests,
            requests,
            length: (mean_thought(think_time) + mean_response).mul_f64(requests),
            shares,
        }
    }

    pub fn share(&self, id: InteractionId) -> f64 {
        self.shares[id.index()]
    }
}

/// The walk of a session that continues after each step with the probability `stays`.
fn walk(mix: &Mix, catalogue: &Catalogue, stays: f64) -> Walk {
    let count = catalogue.interactions().len();
    let mut walk = Walk {
        forward: vec![vec![0.0; count]; count],
        back: vec![0.0; count],
        remembered: catalogue.interactions().iter().map(|i| i.method == Method::Get).collect(),
        start: catalogue.start.index(),
    };
    // The first page is requested by GET, whatever its method.
    walk.remembered[walk.start] = true;
    for id in catalogue.ids() {
        for (share, step) in mix.steps(id) {
            match step {
                Step::To(to) => walk.forward[id.index()][to.index()] += stays * share,
                Step::Back => walk.back[id.index()] += stays * share,
            }
        }
    }
    walk
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Account, Dialogue, How, Session, Users};
    use proptest::{prelude::*, test_runner::RngSeed};
    use settings::Document;
    use std::fmt::Write;

    /// An application whose first page is requested by GET; some of the others are posted, and some write.
    fn catalogue(posted: &[bool]) -> Catalogue {
        let mut text = "name = 'x'\ntitle = 'x'\nprefix = '/x'\nthink_time = '7s'\nsession_length = '15m'\nmix = 'usual'\n\
                        start = 'I0'\n"
            .to_owned();
        for (number, posted) in posted.iter().enumerate() {
            let (method, effect) =
                if *posted { ("POST", "'write'\nwrites = 'rows'") } else { ("GET", "'read'") };
            write!(
                text,
                "[[interaction]]\nname = 'I{number}'\npath = 'I{number}'\nmethod = '{method}'\nclass = 'browse'\n\
                 effect = {effect}\nprotocol = 'html'\n"
            )
            .unwrap();
        }
        Catalogue::parse(&Document::new("app.toml", text)).unwrap()
    }

    /// A mix of integer weights; the last of a row is for going back. Each page leads to the next, so that all are
    /// reachable.
    fn mix(weights: &[Vec<u32>], catalogue: &Catalogue) -> Mix {
        let mut text = "name = 'm'\ntitle = 'm'\n".to_owned();
        for (from, row) in weights.iter().enumerate() {
            let mut row = row.clone();
            row[(from + 1) % weights.len()] += 1;
            let sum: u32 = row.iter().sum();
            writeln!(text, "[transitions.I{from}]").unwrap();
            for (to, weight) in row.iter().enumerate() {
                let name = if to == weights.len() { "back".to_owned() } else { format!("I{to}") };
                writeln!(text, "{name} = {:?}", f64::from(*weight) / f64::from(sum)).unwrap();
            }
        }
        Mix::parse(&Document::new("m.toml", text), catalogue).unwrap()
    }

    /// A page with a link or a form to every interaction.
    fn page(catalogue: &Catalogue) -> Vec<u8> {
        let action = |interaction: &crate::Interaction| match interaction.method {
            Method::Get => format!("<a href='{}'>", interaction.path),
            _ => format!("<form method=post action='{}'></form>", interaction.path),
        };
        catalogue.interactions().iter().map(action).collect::<String>().into_bytes()
    }

    /// The requests of simulated sessions: of each interaction, back steps, and the length in seconds.
    fn walked(mix: &Mix, catalogue: &Catalogue, response: Duration, sessions: usize) -> Vec<Vec<f64>> {
        let account = |number: u64| Account { nickname: number.to_string(), password: String::new() };
        let users = Users { catalogue, mix, accounts: 1, account: &account, habits: &crate::PlainHabits };
        let page = page(catalogue);
        let kinds = catalogue.interactions().len();
        let mut session = Session::new(5, 0, 1);
        let mut walked: Vec<Vec<f64>> = Vec::new();
        let mut now = Duration::ZERO;
        loop {
            let request = session.next(&users, catalogue.session_length.0, now);
            if request.how == How::Start {
                if walked.len() == sessions {
                    return walked;
                }
                walked.push(vec![0.0; kinds + 2]);
            }
            let counts = walked.last_mut().unwrap();
            counts[request.interaction.index()] += 1.0;
            // Fallbacks are back steps here, too: no link is missing, only the history may be empty.
            counts[kinds] += f64::from(u8::from(matches!(request.how, How::Back | How::Fallback)));
            session.arrived(&users, &request, &crate::Answer::page(&page));
            let cycle = response + session.think(catalogue.think_time.0);
            counts[kinds + 1] += cycle.as_secs_f64();
            now += cycle;
        }
    }

    /// The mean and its standard error over independent sessions.
    fn mean(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
        let count = values.clone().count() as f64;
        let mean = values.clone().sum::<f64>() / count;
        let variance = values.map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
        (mean, (variance / count).sqrt())
    }

    /// Compares the computed values with simulated sessions on a server with this response time, at five standard
    /// errors.
    fn assert_as_walked(mix: &Mix, catalogue: &Catalogue, response: Duration, sessions: usize) {
        let (think_time, session_length) = (catalogue.think_time.0, catalogue.session_length.0);
        let exact = Stationary::expected(mix, catalogue, think_time, session_length, response);
        let walked = walked(mix, catalogue, response, sessions);
        let kinds = catalogue.interactions().len();
        let per_session = catalogue.ids().map(|id| exact.share(id) * exact.requests);
        let rest = [exact.back * exact.requests, exact.length.as_secs_f64()];
        for (at, expected) in per_session.chain(rest).enumerate() {
            let (mean, error) = mean(walked.iter().map(|session| session[at]));
            let what = format!("{at} of {kinds}: {mean} ± {error}, computed {expected}\n{mix:?}");
            assert!((mean - expected).abs() <= 5.0 * error + 1e-9, "{what}");
        }
    }

    #[test]
    fn shares_include_all_requests_and_sessions_have_their_length() {
        let catalogue = catalogue(&[false, false, true]);
        let mix = mix(&[vec![0, 1, 0, 0], vec![0, 0, 1, 2], vec![0, 0, 0, 5]], &catalogue);
        let exact = Stationary::of(&mix, &catalogue);
        let sum: f64 = catalogue.ids().map(|id| exact.share(id)).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{sum}");
        let stays = chance_to_stay(Duration::from_secs(7), Duration::from_secs(900));
        assert!((exact.requests * (1.0 - stays) - 1.0).abs() < 1e-9, "{}", exact.requests);
        // A session ends at the first request after its length: one think time later on average.
        assert!((exact.length.as_secs_f64() - 907.0).abs() < 0.1, "{:?}", exact.length);
        assert_eq!(exact.read_write, exact.share(InteractionId(2)));
        assert_as_walked(&mix, &catalogue, Duration::ZERO, 4000);
    }

    #[test]
    fn users_without_think_time_have_a_stationary_mix() {
        let catalogue = catalogue(&[false, true]);
        let mix = mix(&[vec![0, 1, 0], vec![0, 0, 1]], &catalogue);
        let expected = |think, length| {
            let [think, length] = [think, length].map(Duration::from_secs);
            Stationary::expected(&mix, &catalogue, think, length, Duration::ZERO)
        };
        let exact = expected(0, 900);
        assert_eq!(exact.length, Duration::ZERO);
        assert!((exact.read_write - 1.0 / 2.0).abs() < 0.01, "{}", exact.read_write);
        let one = expected(7, 0);
        assert_eq!((one.requests, one.read_write), (1.0, 0.0));
    }

    proptest! {
        // Always the same cases, because many comparisons at five standard errors fail by chance some day.
        #![proptest_config(ProptestConfig {
            cases: 24,
            rng_seed: RngSeed::Fixed(1),
            failure_persistence: None,
            ..ProptestConfig::default()
        })]
        #[test]
        fn computed_shares_match_simulated_sessions(
            posted in proptest::collection::vec(any::<bool>(), 1..6),
            response in 0..20_u64,
            weights in proptest::collection::vec(proptest::collection::vec(0_u32..6, 7), 6),
        ) {
            let posted = [&[false], posted.as_slice()].concat();
            let weights: Vec<_> = weights[..posted.len()].iter().map(|row| row[..=posted.len()].to_vec()).collect();
            let catalogue = catalogue(&posted);
            assert_as_walked(&mix(&weights, &catalogue), &catalogue, Duration::from_secs(response), 1000);
        }
    }
}
