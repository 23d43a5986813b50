use super::*;
use crate::calls;
use crate::envelope::{Fault, Version};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use workload::{Call, Calls};

const NOW: Timestamp = Timestamp(1_800_000_000);

fn model() -> Box<dyn Model> {
    QUOTES.model(&Dataset::new(1, 1.0, NOW), TokenKey::new("secret"))
}

fn answered(step: &Step) -> Answer {
    model().answer(&step.request(&TokenKey::new("secret"), NOW), &step.headers(), NOW)
}

#[test]
fn the_messages_are_as_long_as_the_papers() {
    let asked = Version::One.envelope(&calls::get_stock_quote("IBM"));
    assert_eq!(asked.len(), 277);
    let answer = answered(&Step::document(service::PATH, &[Header::new("a", "b")], asked.as_bytes()));
    assert_eq!(String::from_utf8(answer.response.body).unwrap(), QUOTE);
}

#[test]
fn every_branch_is_taken() {
    for Branch { name, step, status } in script::branches() {
        assert_eq!(answered(&step).response.status, status, "{name}");
    }
}

#[test]
fn each_call_is_answered_rightly_and_no_other_answer_is_taken_for_right() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for interaction in CATALOGUE.interactions().iter().filter(|one| one.path == service::PATH) {
        for _ in 0..50 {
            let Call { headers, body } = Callers.call(interaction, &mut random);
            let id = CATALOGUE.by_name(&interaction.name).unwrap();
            let request = workload::Request {
                interaction: id,
                method: workload::Method::Post,
                path_and_query: interaction.path.clone(),
                headers,
                body,
                how: workload::How::Start,
                drawn: None,
            };
            let operation = interaction.name.trim_end_matches(|end: char| end.is_ascii_digit());
            assert_eq!(QUOTES.interaction(&(&request).into()), CATALOGUE.by_name(operation));
            let right = model().answer(&(&request).into(), &request.headers, NOW).response;
            assert!(Callers.is_right(&request, right.status, &right.body));
            assert!(!Callers.is_right(&request, 500, &right.body));
            let text = String::from_utf8(right.body).unwrap();
            for (from, to) in [
                ("<q:varInt>", "<q:varInt>9"),
                ("<q:varString>", "<q:varString>x"),
                ("<q:symbol>", "<q:symbol>X"),
                ("<q:volume>", "<q:volume>1"),
                ("<q:price>", "<q:price>1"),
                ("<q:date>2006", "<q:date>2007"),
                ("</q:percent>", "1</q:percent>"),
            ] {
                if text.contains(from) {
                    assert!(
                        !Callers.is_right(&request, 200, text.replacen(from, to, 1).as_bytes()),
                        "{from}"
                    );
                }
            }
            let elsewhere = text.replacen("Z</q:date>", ".000+00:00</q:date>", 1);
            assert!(Callers.is_right(&request, 200, elsewhere.as_bytes()));
            let fault = Fault::client("x").response(Version::One);
            assert!(!Callers.is_right(&request, 200, &fault.body));
        }
    }
}

#[test]
fn a_size_in_an_interactions_name_is_that_of_its_messages() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for (name, part, count) in [
        ("EchoStruct1", "<q:inputStruct>", 1),
        ("EchoStruct50", "<q:inputStruct>", 50),
        ("EchoList10", "<q:varInt>", 10),
    ] {
        let interaction = CATALOGUE.get(CATALOGUE.by_name(name).unwrap());
        let Call { body, .. } = Callers.call(interaction, &mut random);
        assert_eq!(body.matches(part).count(), count, "{name}");
    }
}

#[test]
fn callers_follow_the_mix() {
    let mix = Document::new("all.toml", include_str!("../../mixes/all.toml"));
    let mix = workload::Mix::parse(&mix, &CATALOGUE).unwrap();
    let account = |number| QUOTES.account(number);
    let users = workload::Users {
        catalogue: &CATALOGUE,
        mix: &mix,
        accounts: 0,
        account: &account,
        habits: &Callers,
    };
    let second = std::time::Duration::from_secs(1);
    let walk = |seed| {
        let mut caller = users.dialogue(seed, 0, 1, None);
        (0..200).map(|number| caller.next(&users, second * 60, second * number)).collect::<Vec<_>>()
    };
    let requests = walk(1);
    assert_eq!(requests, walk(1));
    assert_ne!(requests, walk(2));
    for name in ["StaticQuote", "PlainQuote", "GetStockQuote", "EchoStruct", "EchoList"] {
        let id = CATALOGUE.by_name(name).unwrap();
        let count = requests.iter().filter(|request| request.interaction == id).count();
        assert!((20..=60).contains(&count), "{count}");
    }
    let starts = requests.iter().filter(|request| request.how == workload::How::Start).count();
    assert!((2..=8).contains(&starts), "{starts}");
    assert!(requests.iter().all(|request| request.drawn.is_some() || request.how == workload::How::Start));
}
