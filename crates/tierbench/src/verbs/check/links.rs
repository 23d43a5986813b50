//! Can a mix be walked? Users only follow links and submit forms that are on a page, so that each transition of a mix
//! needs one, or the mix that is sent is not the mix that is written.

use crate::output::note;
use application::{Application, COOKIE, Dataset, Header, Timestamp, TokenKey};
use engine::Browser;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    time::{Duration, Instant},
};
use workload::{Answer, Catalogue, Dialogue, How, InteractionId, Mix, Page, Session, Step, Users};

/// Small enough to be generated at once, large enough for lists of several pages.
const DATASET: Dataset = Dataset::new(1, 0.02, Timestamp(1_800_000_000));

/// A walk meets every page of an application in a few hundred requests; what it hasn't met by now, it won't.
const MOST_REQUESTS: usize = 20_000;

/// Interval at which the progress is printed.
const REPORT_INTERVAL: Duration = Duration::from_secs(2);

/// Transitions of a mix that users of the model found or missed.
pub(super) struct Links {
    /// Number of transitions with a link or form.
    pub found: usize,
    /// Transitions that have none.
    pub missing: Vec<Missing>,
}

/// A transition that no page offers.
#[derive(Debug)]
pub(super) struct Missing {
    from: String,
    to: String,
    /// Number of pages of `from`.
    pages: u64,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { from, to, pages } = self;
        match pages {
            0 => write!(f, "from {from} to {to}: no page of {from} was ever reached"),
            _ => write!(f, "from {from} to {to}: none of {pages} pages of {from} has a link or form to {to}"),
        }
    }
}

/// Walks the application's model in virtual time, taking each step of the mix equally often, until each transition
/// has been on a page.
pub(super) fn walk(application: &dyn Application, catalogue: &Catalogue, mix: &Mix) -> Links {
    let all = transitions(catalogue, mix);
    let habits = application.habits(&DATASET);
    // Callers of operations follow no links.
    if habits.calls().is_some() {
        return Links { found: all.len(), missing: Vec::new() };
    }
    let mix = mix.evened();
    let account = |number| application.account(number);
    let accounts = application.accounts(&DATASET);
    let users = Users { catalogue, mix: &mix, accounts, account: &account, habits: habits.as_ref() };
    let mut model = application.model(&DATASET, TokenKey::new("check"));
    let mut browser = Browser::default();
    let mut session = Session::new(DATASET.seed, 0, 1);
    let mut now = Duration::ZERO;
    let mut open = all.clone();
    let mut pages: BTreeMap<InteractionId, u64> = BTreeMap::new();
    let mut printed = Instant::now();
    for number in 0..MOST_REQUESTS {
        if open.is_empty() {
            break;
        }
        if printed.elapsed() > REPORT_INTERVAL {
            printed = Instant::now();
            note(format_args!(
                "mix {}: {number} pages seen, {} transitions to be found",
                mix.name,
                open.len()
            ));
        }
        let request = session.next(&users, catalogue.session_length.0, now);
        let instant = DATASET.epoch + now.as_secs() as i64;
        if request.how == How::Start {
            browser = Browser::default();
        }
        let is_secure = catalogue.get(request.interaction).secure;
        let cookies = Header::new(COOKIE, browser.cookies_for(is_secure, &request.path_and_query));
        let (answer, cookie) = model.converse(&(&request).into(), &[cookies], instant);
        let response = answer.response;
        cookie
            .into_iter()
            .for_each(|cookie| browser.set_cookie(&cookie, "", &request.path_and_query, Duration::ZERO));
        if response.status == 200 {
            let page = Page::scan(&response.body, &request.path_and_query, catalogue);
            page.actions().for_each(|action| {
                open.remove(&(request.interaction, action.to()));
            });
            *pages.entry(request.interaction).or_default() += 1;
            session.arrived(&users, &request, &Answer::page(&response.body));
        } else {
            session.failed(&request);
        }
        now += session.think(catalogue.think_time.0);
    }
    let name = |id: InteractionId| catalogue.get(id).name.clone();
    let missing = open.iter().map(|(from, to)| Missing {
        from: name(*from),
        to: name(*to),
        pages: pages.get(from).copied().unwrap_or(0),
    });
    Links { found: all.len() - open.len(), missing: missing.collect() }
}

/// The transitions of a mix that need a link or a form.
fn transitions(catalogue: &Catalogue, mix: &Mix) -> BTreeSet<(InteractionId, InteractionId)> {
    let steps =
        catalogue.ids().flat_map(|from| mix.steps(from).map(move |(share, step)| (from, share, step)));
    let possible = steps.filter_map(|(from, share, step)| match step {
        Step::To(to) if share > 0.0 => Some((from, to)),
        _ => None,
    });
    possible.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use settings::Document;

    fn walked(transitions: &str) -> Links {
        let document = Document::new("app.toml", include_str!("../../../../../apps/auction/app.toml"));
        let catalogue = Catalogue::parse(&document).unwrap();
        let text = format!("name = 'm'\ntitle = 'm'\n{transitions}");
        let mix = Mix::parse(&Document::new("m.toml", text), &catalogue).unwrap();
        walk(&auction::AUCTION, &catalogue, &mix)
    }

    #[test]
    fn rare_transitions_that_pages_offer_are_found() {
        let links = walked(
            "[transitions.Home]\nBrowse = 0.999999\nRegister = 0.000001\n[transitions.Browse]\nback = 1.0\n\
             [transitions.Register]\nRegisterUser = 1.0\n[transitions.RegisterUser]\nHome = 1.0\n",
        );
        assert!(links.missing.is_empty(), "{:?}", links.missing);
        assert_eq!(links.found, 4);
    }

    #[test]
    fn transitions_that_no_page_offers_are_named() {
        let links = walked(
            "[transitions.Home]\nBrowse = 0.5\nViewItem = 0.5\n[transitions.Browse]\nHome = 1.0\n\
             [transitions.ViewItem]\nPutBidAuth = 1.0\n[transitions.PutBidAuth]\nback = 1.0\n",
        );
        let missing: Vec<String> = links.missing.iter().map(ToString::to_string).collect();
        assert_eq!((links.found, missing.len()), (2, 2), "{missing:?}");
        assert!(missing[0].starts_with("from Home to ViewItem: none of "), "{missing:?}");
        assert_eq!(missing[1], "from ViewItem to PutBidAuth: no page of ViewItem was ever reached");
    }
}
