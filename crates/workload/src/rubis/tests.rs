use super::*;
use proptest::prelude::*;

/// A sheet as its text is made of: cells by row and column, in the order of the file.
struct Sheet(Vec<Vec<String>>);

const HEAD: usize = 2;
/// The row of the first state. The head spans two lines, so that it stands in line 5.
const FIRST: usize = 3;

impl Sheet {
    /// A sheet with these chances by from and to.
    fn new(chance: impl Fn(usize, usize) -> f64) -> Self {
        let cells = |cells: &[&str]| cells.iter().map(ToString::to_string).collect::<Vec<_>>();
        let mut rows = vec![cells(&["RUBiS Transition Table", "Tested"]), cells(&["", ""])];
        let head = [&["\"To >>>\nFrom vvvv  \""], &STATES[..PAGES], &["Transition waiting time"]].concat();
        rows.push(cells(&head));
        for (to, state) in STATES.iter().enumerate() {
            let numbers = (0..PAGES).map(|from| chance(from, to).to_string());
            let wait = if to < PAGES { 1000 + to } else { 0 };
            rows.push([(*state).to_owned()].into_iter().chain(numbers).chain([wait.to_string()]).collect());
        }
        Self(rows)
    }

    /// Nothing is wrong with it: from each page half of the users go to the next, a quarter back, a quarter away.
    fn right() -> Self {
        Self::new(|from, to| match to {
            _ if to == (from + 1) % PAGES => 0.5,
            BACK if from > 0 => 0.25,
            END => [0.25, 0.5][usize::from(from == 0)],
            _ => 0.0,
        })
    }

    fn cell(&mut self, from: usize, to: usize) -> &mut String {
        &mut self.0[FIRST + to][from + 1]
    }

    fn wait(&mut self, to: usize) -> &mut String {
        &mut self.0[FIRST + to][PAGES + 1]
    }

    fn below(&mut self, rows: &[&[&str]]) {
        self.0.extend(rows.iter().map(|row| row.iter().map(ToString::to_string).collect()));
    }

    fn text(&self) -> String {
        self.0.iter().map(|row| row.join("\t") + "\n").collect()
    }

    fn table(&self) -> RubisTable {
        RubisTable::parse(&self.text()).unwrap()
    }
}

#[test]
fn a_correct_table_has_no_defects() {
    let table = Sheet::right().table();
    assert_eq!(table.defects, []);
    assert_eq!(table.name, "Tested");
    let sessions = table.sessions.unwrap();
    assert_eq!(sessions.drawn, sessions.normalised);
    let (mean, error) = sessions.limited;
    assert!((mean - sessions.drawn.unwrap().mean).abs() < 5.0 * error, "{sessions:?}");
    let with_other_line_ends = RubisTable::parse(&Sheet::right().text().replace('\n', "\r\n")).unwrap();
    assert_eq!(with_other_line_ends.defects, []);
}

type Break = fn(&mut Sheet);

/// Changes of the correct sheet, and the defect that must be reported.
const CASES: [(Break, &str); 26] = [
    (|sheet| sheet.0[0].clear(), "line 1, column 1: the first line should be `RUBiS Transition Table`"),
    (|sheet| sheet.0[HEAD].truncate(PAGES + 1), "line 3, column 28: the last column should be named"),
    (
        |sheet| sheet.0.insert(1, vec![String::new()]),
        "line 6: the states begin here, but the emulator skips four",
    ),
    (
        |sheet| sheet.0[FIRST + 14][0] = "StoreBuyBow".into(),
        "line 19, column 1: `StoreBuyBow` is misspelt; StoreBuyNow",
    ),
    (
        |sheet| sheet.0[HEAD][15] = "Store Buy Bow".into(),
        "line 3, column 16: the column `Store Buy Bow` stands where that of StoreBuyNow",
    ),
    (|sheet| sheet.0[FIRST + 4][0] = "Zebra".into(), "line 9, column 1: `Zebra` is no state of RUBiS"),
    (|sheet| sheet.0[FIRST + 4][0] = "Home".into(), "line 9, column 1: Home has a row already, in line 5"),
    (
        |sheet| sheet.0.swap(FIRST + 1, FIRST + 2),
        "line 6, column 1: RegisterUser stands here, but the emulator goes by position and takes it for Register",
    ),
    (|sheet| drop(sheet.0.remove(FIRST + 9)), "there is no row for ViewItem; 28 rows instead of 29"),
    (
        |sheet| sheet.0.iter_mut().skip(HEAD).for_each(|row| drop(row.remove(6))),
        "line 3: there is no column for SearchItemsInCategory; 26 columns instead of 27",
    ),
    (
        |sheet| *sheet.cell(4, 5) = "O.5".into(),
        "line 10, column 6: from BrowseCategories to SearchItemsInCategory: `O.5` is no number",
    ),
    (
        |sheet| *sheet.cell(4, 5) = "0,5".into(),
        "line 10, column 6: from BrowseCategories to SearchItemsInCategory: `0,5` is no number",
    ),
    (
        |sheet| sheet.cell(4, 5).clear(),
        "line 10, column 6: from BrowseCategories to SearchItemsInCategory: the cell is empty",
    ),
    (
        |sheet| *sheet.cell(4, 6) = "-0.1".into(),
        "line 11, column 6: -0.1 from BrowseCategories to BrowseRegions is no probability",
    ),
    (|sheet| *sheet.cell(4, 5) = "1.5".into(), "line 10, column 6: 1.5 from"),
    (
        |sheet| *sheet.cell(9, 10) = "0.71".into(),
        "column 11: ViewItem sums to 1.21; what is beyond 1 is never drawn: End of Session 0.04 instead of 0.25",
    ),
    (|sheet| *sheet.cell(0, 1) = "0.47".into(), "column 2: Home sums to 0.97; users stay there with 0.03"),
    (
        |sheet| (0..STATES.len()).for_each(|to| *sheet.cell(26, to) = "0".into()),
        "column 28: AboutMe leads nowhere: users who are there stay there for ever",
    ),
    (|sheet| *sheet.cell(17, 18) = "0".into(), "line 23: nothing leads to PutCommentAuth"),
    (
        |sheet| *sheet.cell(17, 18) = "0".into(),
        "line 24: PutComment is led to from PutCommentAuth alone, and so never reached",
    ),
    (
        |sheet| *sheet.cell(9, BACK) = "0.5".into(),
        "line 33: End of Session is never drawn at ViewItem, where it is meant to be",
    ),
    (
        |sheet| (0..PAGES).for_each(|from| *sheet.cell(from, (from + 1) % PAGES) = "1".into()),
        "line 33: no session ever ends",
    ),
    (
        |sheet| {
            *sheet.cell(0, BACK) = "0.25".into();
            *sheet.cell(0, END) = "0.25".into();
        },
        "line 32, column 2: at Home, where sessions start, there is nothing to go back to",
    ),
    (
        |sheet| *sheet.wait(3) = "-2000".into(),
        "line 8, column 29: the wait of Browse should be whole milliseconds, not -2000",
    ),
    (|sheet| sheet.wait(3).clear(), "line 8, column 29: wait of Browse: the cell is empty"),
    (
        |sheet| sheet.0[FIRST + 3].push("7000".into()),
        "line 8, column 30: `7000` stands behind the last column",
    ),
];

#[test]
fn each_defect_is_reported_with_its_position() {
    for (break_it, defect) in CASES {
        let mut sheet = Sheet::right();
        break_it(&mut sheet);
        let defects: Vec<String> = sheet.table().defects.iter().map(ToString::to_string).collect();
        assert!(defects.iter().any(|found| found.starts_with(defect)), "{defect}: {defects:#?}");
    }
}

#[test]
fn unusual_waits_are_reported() {
    let defects_of = |change: Break| {
        let mut sheet = Sheet::right();
        change(&mut sheet);
        sheet.table().defects.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let flat = defects_of(|sheet| (0..PAGES).for_each(|to| *sheet.wait(to) = "7000".into()));
    assert_eq!(flat, ["line 5: all pages have the same wait, 7000 ms: the column says nothing"]);
    let none = defects_of(|sheet| *sheet.wait(9) = "0".into());
    assert_eq!(none, ["line 14: users don't wait at ViewItem"]);
    let at_the_end = defects_of(|sheet| *sheet.wait(END) = "3000".into());
    assert_eq!(at_the_end, ["line 33: End of Session is no page, but users wait 3000 ms there"]);
}

#[test]
fn inconsistent_cells_are_reported() {
    let mut sheet = Sheet::right();
    let header: Vec<&str> = ["Header probability", "0"].into_iter().chain([""; 8]).chain(["0.5"]).collect();
    sheet.below(&[
        &header,
        &[""],
        &["Probabilities for header"],
        &["HomeProb", "0.5"],
        &["EndOfSessionProb", "0.5"],
        &["Probabilities for home page"],
        &["RegisterProb", "0.4"],
        &["Total", "1"],
    ]);
    let defects: Vec<String> = sheet.table().defects.iter().map(ToString::to_string).collect();
    assert_eq!(
        defects,
        [
            "line 40, column 2: the probabilities for the home page sum to 0.4",
            "line 40, column 2: RegisterProb for the home page is 0.4, but from Home to Register the table has 0.5",
            "line 5: to Home the table has 0 from ViewItem, but header probability times HomeProb is 0.25",
        ]
    );
}

#[test]
fn text_without_a_table_is_refused() {
    for text in ["", "Home\t0\n", "\u{0}\u{1}\t\t\n\"", "name = 'bidding'\n"] {
        assert!(RubisTable::parse(text).is_err(), "{text:?}");
    }
}

#[test]
fn truncated_tables_are_read_or_refused() {
    let text = Sheet::right().text();
    // What lacks only its last line's end or digit is whole.
    for end in (0..text.len() - 2).step_by(7) {
        let read = RubisTable::parse(&text[..end]);
        assert!(read.is_err() || !read.unwrap().defects.is_empty(), "{end}");
    }
}

#[test]
fn a_missing_column_is_identified_by_the_others() {
    let short = [
        "Home",
        "Reg.",
        "Reg. User",
        "Browse",
        "Br. Cat.",
        "Search Items Cat.",
        "Br. Reg.",
        "Br. Cat. Reg.",
        "Search Items Reg.",
        "View Item",
        "View User Info",
        "View Bid Hist.",
        "Buy Now Auth",
        "Buy Now",
        "Store Buy Now",
        "Put Bid Auth",
        "Put Bid",
        "Store Bid",
        "Put Com. Auth",
        "Put Comment",
        "Store Comment",
        "Sell",
        "Cat. Sell Item",
        "Sell Item Form",
        "Reg. Item",
        "About Me (auth)",
        "About Me",
    ];
    for (missing, name) in STATES[..PAGES].iter().enumerate() {
        let mut sheet = Sheet::right();
        (0..PAGES).for_each(|page| sheet.0[HEAD][page + 1] = short[page].to_owned());
        assert_eq!(sheet.table().defects, []);
        sheet.0.iter_mut().skip(HEAD).for_each(|row| drop(row.remove(missing + 1)));
        let defects: Vec<String> = sheet.table().defects.iter().map(ToString::to_string).collect();
        let expected = format!("line 3: there is no column for {name}; 26 columns instead of 27");
        assert_eq!(defects, [expected]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
    #[test]
    fn any_cell_content_is_read(
        changes in proptest::collection::vec((0..FIRST + STATES.len(), 0..PAGES + 2, r#"[-+0-9.eE\t\n"a-z]{0,9}|-?1e30[0-9]"#), 0..40),
    ) {
        let mut sheet = Sheet::right();
        for (row, column, text) in changes {
            if let Some(cell) = sheet.0[row].get_mut(column) {
                *cell = text;
            }
        }
        let _ = RubisTable::parse(&sheet.text());
    }

    #[test]
    fn any_text_is_read_or_refused(text in r#"(\PC|\t|\n|"){0,40}("To >>>)?(\PC|\t|\n|"){0,80}"#) {
        let _ = RubisTable::parse(&text);
    }
}

/// How much of what users do next is the page's header, in both original tables.
fn header(page: usize) -> f64 {
    match page {
        0 => 0.0,
        2 | 14 | 17 | 20 | 24 => 1.0,
        26 => 0.2,
        _ => 0.01,
    }
}

/// Where the original tables want sessions to end.
const ENDING: [usize; 10] = [2, 5, 8, 9, 10, 14, 17, 20, 24, 26];

/// The chances of the original default table.
fn bidding(from: usize, to: usize) -> f64 {
    match (from, to) {
        (0, 1) => 0.07,
        (0, 3) => 0.7,
        (0, 21) => 0.05,
        (0, 25) => 0.15,
        (3, 4) => 0.7,
        (3, 6) => 0.29,
        (1, 2) | (4, 5) | (6, 7) | (7, 8) | (12, 13) | (13, 14) | (15, 16) | (18, 19) | (19, 20) => 0.99,
        (21, 22) | (22, 23) | (23, 24) | (25, 26) => 0.99,
        (5, 5) | (8, 8) => 0.4,
        (5 | 8, 9) => 0.5,
        (5 | 8, 15) => 0.09,
        (9, 10 | 12) => 0.1,
        (9, 11) => 0.05,
        (9, 15) => 0.22,
        (9, 19) => 0.02,
        (9, BACK) => 0.5,
        (10 | 11, 10) => 0.19,
        (10 | 11, BACK) => 0.8,
        (16, 17) => 0.74,
        (16, 10 | 19) => 0.05,
        (16, 11) => 0.15,
        (26, 9) => 0.65,
        (26, 10) => 0.05,
        (26, 15) => 0.1,
        (_, END) if ENDING.contains(&from) => 0.2,
        (1, 1) | (3, 3) | (2, 1) => 0.0,
        (_, 0) => 0.01 * header(from),
        (_, 1) => 0.01,
        (_, 3) => 0.58 * header(from),
        (_, 21) => 0.05 * header(from),
        (_, 25) => 0.15 * header(from),
        _ => 0.0,
    }
}

/// The chances of the original table for browsing only.
fn browsing(from: usize, to: usize) -> f64 {
    match (from, to) {
        (0, 3) => 1.0,
        (5, 5) | (8, 8) => 0.44,
        (5 | 8, 9) => 0.55,
        (9, 10) => 0.15,
        (9, 11) => 0.1,
        (9, BACK) => 0.74,
        (5 | 8 | 9, 12 | 15 | 19) | (_, 1 | 21 | 25) => 0.0,
        (3, 3) => 0.0,
        (_, 0) => 0.05 * header(from),
        (_, 3) => 0.75 * header(from),
        _ => bidding(from, to),
    }
}

/// Measured on the emulator's own drawing, two million requests each, and published as facts of RUBiS: 51 pages by the
/// default table; 527 by the other, 454 with the limit; 12.3 and 9.6 with columns that sum to 1.
#[test]
fn sessions_of_the_original_tables_have_the_emulators_length() {
    let default = Sheet::new(bidding).table().sessions.unwrap();
    let drawn = default.drawn.unwrap();
    assert!((drawn.mean - 51.0).abs() < 1.0, "{default:?}");
    assert!((drawn.read_write - 0.092).abs() < 0.001, "{default:?}");
    assert!((default.normalised.unwrap().mean - 12.3).abs() < 0.1, "{default:?}");
    let browsing = Sheet::new(browsing).table().sessions.unwrap();
    assert!((browsing.drawn.unwrap().mean - 527.0).abs() < 10.0, "{browsing:?}");
    assert!((browsing.limited.0 - 454.0).abs() < 10.0, "{browsing:?}");
    assert!((browsing.normalised.unwrap().mean - 9.6).abs() < 0.1, "{browsing:?}");
    assert_eq!(browsing.drawn.unwrap().read_write, 0.0);
}

#[test]
fn the_original_default_tables_defects_are_found() {
    let table = Sheet::new(bidding).table();
    let defects: Vec<String> = table.defects.iter().map(ToString::to_string).collect();
    for defect in [
        "column 2: Home sums to 0.97",
        "column 4: RegisterUser sums to 0.99",
        "column 11: ViewItem sums to 1.2079",
        "column 28: AboutMe sums to 1.168",
        "line 23: nothing leads to PutCommentAuth",
        "line 33: End of Session is never drawn at SearchItemsInCategory, SearchItemsInRegion",
    ] {
        assert!(defects.iter().any(|found| found.starts_with(defect)), "{defect}: {defects:#?}");
    }
}
