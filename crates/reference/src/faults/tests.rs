use super::*;
use application::Parameters;
use auction::AUCTION;
use std::collections::HashSet;

const NOW: Timestamp = Timestamp(1_800_000_000);
const DATASET: Dataset = Dataset::new(1, 0.0002, NOW);

pub(super) fn key() -> TokenKey {
    TokenKey::new("key")
}

pub(super) fn right() -> Box<dyn Model> {
    AUCTION.model(&DATASET, key())
}

pub(super) fn with(name: &str) -> Box<dyn Model> {
    let mut all = all(&AUCTION, &DATASET).into_iter();
    let fault = all.find(|fault| fault.name == name).unwrap_or_else(|| panic!("there is no fault {name}"));
    model_with(fault, &AUCTION, &DATASET, key())
}

pub(super) fn ask(model: &mut Box<dyn Model>, step: &str) -> Response {
    model.respond(&step.parse::<Step>().unwrap().request(&key(), NOW), NOW)
}

pub(super) fn page(response: &Response) -> &str {
    std::str::from_utf8(&response.body).unwrap()
}

/// A new user; `nickname` may be encoded.
pub(super) fn register(nickname: &str) -> String {
    format!(
        "POST /auction/RegisterUser firstname=A&lastname=B&nickname={nickname}&email=a%40b&password=c&region=1"
    )
}

fn log_in(nickname: &str, password: &str) -> String {
    format!("POST /auction/AboutMe nickname={nickname}&password={password}")
}

#[test]
fn names_are_unique_and_valid_in_file_names() {
    let all = all(&AUCTION, &DATASET);
    let names: HashSet<&str> = all.iter().map(|fault| fault.name.as_str()).collect();
    assert_eq!(names.len(), all.len());
    for name in names {
        assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.'), "{name}");
    }
}

#[test]
fn each_parameter_and_interaction_has_faults() {
    let all = all(&AUCTION, &DATASET);
    let names: HashSet<&str> = all.iter().map(|fault| fault.name.as_str()).collect();
    for interaction in AUCTION.catalogue().interactions() {
        assert!(names.contains(format!("{}.word", interaction.name).as_str()), "{}", interaction.name);
        for parameter in &interaction.parameters {
            let name = format!("{}.{}.missing", interaction.name, parameter.name);
            assert!(names.contains(name.as_str()), "{name}");
        }
    }
}

#[test]
fn only_possible_faults_are_listed() {
    let possible = possible(&AUCTION, &DATASET);
    let has = |name: &str| possible.iter().any(|fault| fault.name == name);
    assert!(has("BrowseCategories.swapped") && has("ViewItem.hour") && has("StoreBid.number"));
    assert!(!has("PutBidAuth.entry") && !has("BrowseCategories.hour"));
}

#[test]
fn other_requests_are_answered_correctly() {
    let mut right = right();
    let step: Step = "GET /auction/BrowseCategories".parse().unwrap();
    let expected = right.respond(&step.request(&key(), NOW), NOW);
    for fault in
        all(&AUCTION, &DATASET).into_iter().filter(|fault| !fault.name.starts_with("BrowseCategories."))
    {
        let name = fault.name.clone();
        if fault.at.is_none() || matches!(fault.wrong, Wrong::Does(_) | Wrong::Trusts(_)) {
            continue;
        }
        let mut model = model_with(fault, &AUCTION, &DATASET, key());
        assert_eq!(ask(&mut model, "GET /auction/BrowseCategories"), expected, "{name}");
    }
}

#[test]
fn misreadings_accept_refused_values() {
    for (fault, step) in [
        ("ViewItem.itemId.missing", "GET /auction/ViewItem"),
        ("ViewItem.itemId.zeros", "GET /auction/ViewItem itemId=02"),
        ("ViewItem.method", "POST /auction/ViewItem itemId=2"),
        ("AboutMe.method", "GET /auction/AboutMe nickname=user1&password=password1"),
        ("AboutMe.nickname.blanks", "POST /auction/AboutMe nickname=+user1&password=password1"),
        ("AboutMe.nickname.case", "POST /auction/AboutMe nickname=User1&password=password1"),
        ("AboutMe.password.any", "POST /auction/AboutMe nickname=user1&password=x"),
        ("path.start", "GET /auction/nowhere"),
    ] {
        assert!(ask(&mut right(), step).status >= 400, "{step}");
        assert_eq!(ask(&mut with(fault), step).status, 200, "{fault}");
    }
    let (fault, step) = ("path.files", "GET /auction/style.css");
    assert_eq!((ask(&mut right(), step).status, ask(&mut with(fault), step).status), (200, 404));
}

#[test]
fn trust_faults_let_other_users_act() {
    let step = |token: &str| format!("POST /auction/SellItemForm category=1&token={token}");
    for (fault, token, user) in [
        ("SellItemForm.token.expired", "{token:7:expired}", 7),
        ("SellItemForm.token.forged", "{token:7:forged}", 7),
        ("SellItemForm.token.neighbour", "{token:7}", 8),
    ] {
        let answer = ask(&mut with(fault), &step(token));
        assert!(page(&answer).contains(&format!("value=\"{user}.")), "{fault}: {}", page(&answer));
    }
    assert_eq!(
        ask(&mut with("SellItemForm.token.missing"), "POST /auction/SellItemForm category=1").status,
        200
    );
    let neighbour = ask(&mut with("AboutMe.password.neighbour"), &log_in("user1", "password1"));
    assert!(page(&neighbour).contains("user2"), "{}", page(&neighbour));
    let stranger = ask(&mut with("AboutMe.password.neighbour"), &log_in("user1", "x"));
    assert_eq!(stranger.status, 403);
}

#[test]
fn writes_can_be_lost_late_or_repeated() {
    let users = |model: &dyn Model| model.rows(&AUCTION.tables()[2]).len();
    let before = users(right().as_ref());
    for (fault, at_once, later) in
        [("RegisterUser.lost", 0, 0), ("RegisterUser.late", 0, 1), ("RegisterUser.twice", 1, 1)]
    {
        let mut model = with(fault);
        assert_eq!(ask(&mut model, &register("somebody")).status, 200);
        assert_eq!(users(model.as_ref()), before + at_once, "{fault}");
        assert_eq!(ask(&mut model, &log_in("somebody", "c")).status, if at_once == 1 { 200 } else { 403 });
        assert_eq!(users(model.as_ref()), before + later, "{fault}");
    }
}

#[test]
fn a_stale_page_shows_old_data() {
    let mut model = with("AboutMe.stale");
    assert_eq!(ask(&mut model, &log_in("somebody", "c")).status, 403);
    ask(&mut model, &register("somebody"));
    assert_eq!(ask(&mut model, &log_in("somebody", "c")).status, 403);
}

#[test]
fn a_text_is_shown_unescaped_on_every_page() {
    let mut model = with("RegisterUser.firstname.raw");
    let step = register("somebody").replace("firstname=A", "firstname=%3Cb%3E");
    assert!(page(&ask(&mut right(), &step)).contains("&#60;b&#62;"));
    assert!(page(&ask(&mut model, &step)).contains("<b>"));
    assert!(page(&ask(&mut model, &log_in("somebody", "c"))).contains("<b>"));
}

#[test]
fn a_slow_clock_writes_times_in_the_past() {
    let welcome = ask(&mut with("clock.slow"), &register("somebody"));
    assert!(page(&welcome).contains(&(NOW + -4).to_string()));
}

#[test]
fn parameters_keep_their_place() {
    let mut post = Request::new("POST", "/x?a=1", "b=2");
    set_parameters(&mut post, "c=3".to_owned());
    assert_eq!((post.target().as_str(), Parameters::decode(&post.body).one("c")), ("/x?a=1", Some("3")));
    let mut broken = Request::new("POST", "/x", "");
    broken.body = vec![0xff];
    set_parameters(&mut broken, "c=3".to_owned());
    assert_eq!(broken.body, [0xff]);
}

#[test]
fn only_the_pages_of_the_affected_rows_are_wrong() {
    let dataset = Dataset::new(1, 0.002, NOW);
    let faults = rows::all(&AUCTION, &dataset);
    let names: Vec<&str> = faults.iter().map(|fault| fault.name.as_str()).collect();
    for name in [
        "ViewItem.rows.olditems.every97.word",
        "ViewUserInfo.rows.users.every53.entry",
        "ViewUserInfo.rows.users.most.entry",
        "ViewUserInfo.rows.users.none.word",
        "ViewBidHistory.rows.items.most.number",
        "ViewItem.rows.items.longest.word",
        "ViewItem.rows.items.zero.word",
    ] {
        assert!(names.contains(&name), "{name} is not among {names:?}");
    }
    let fault = faults.into_iter().find(|fault| fault.name == "ViewItem.rows.olditems.every97.word").unwrap();
    let mut wrong = model_with(fault, &AUCTION, &dataset, key());
    let mut right = AUCTION.model(&dataset, key());
    let differing: Vec<i64> = (1..=400)
        .filter(|id| {
            let step = format!("GET /auction/ViewItem itemId={id}");
            ask(&mut wrong, &step) != ask(&mut right, &step)
        })
        .collect();
    assert_eq!(differing, [97, 194, 291, 388]);
}

#[test]
fn a_slip_asks_the_bank_for_something_else() {
    let right = || Payment {
        reference: "7".to_owned(),
        number: "4111111111111111".to_owned(),
        expiry: "2030-12".to_owned(),
        amount: "12.50".to_owned(),
    };
    for (slip, name, _) in SLIPS {
        assert_ne!(slip.of(vec![right()]), [right()], "{name}");
        assert_eq!(slip.of(Vec::new()), [], "{name}");
    }
    assert!(of_payments(&AUCTION).is_empty());
}
