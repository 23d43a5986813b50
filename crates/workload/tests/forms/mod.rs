//! The submission of forms, by examples of the standard's algorithm ("constructing the entry list").

use super::{BASE, catalogue};
use workload::{Action, Answer, FormCoding, Method, Origins, Page};

/// The submissions of a page that lead to `StoreBid`: their entries.
fn submissions(page: &Page) -> Vec<String> {
    let catalogue = catalogue();
    let wanted = catalogue.by_name("StoreBid").unwrap();
    let forms = page.actions().filter(|action| action.to() == wanted).filter_map(|action| match action {
        Action::Form(form) => Some(form),
        Action::Link { .. } => None,
    });
    let entries = forms.map(|form| {
        let pairs = form.fields().map(|field| format!("{}={}", field.name(), field.value()));
        pairs.collect::<Vec<_>>().join("&")
    });
    entries.collect()
}

fn page(html: &str) -> Page {
    Page::scan(html.as_bytes(), BASE, &catalogue())
}

fn expect_entries(content: &str, expected: &str) {
    let html = format!("<form action=StoreBid method=post>{content}</form>");
    assert_eq!(submissions(&page(&html)), [expected], "{content}");
}

#[test]
fn disabled_controls_are_not_submitted() {
    for (content, expected) in [
        ("<fieldset disabled><input name=dead value=1></fieldset><input name=a value=1>", "a=1"),
        (
            "<fieldset disabled><fieldset><textarea name=t></textarea></fieldset></fieldset><input name=a>",
            "a=",
        ),
        (
            "<fieldset disabled><legend><input name=first></legend><legend><input name=second></legend></fieldset>",
            "first=",
        ),
        ("<fieldset><input name=a></fieldset>", "a="),
        ("<datalist><input name=a></datalist><input name=b>", "b="),
        ("<template><input name=a></template><input name=b>", "b="),
        ("<select name=s disabled><option value=1></select><button name=b disabled></button>", ""),
    ] {
        expect_entries(content, expected);
    }
}

#[test]
fn selects_submit_their_selected_options() {
    for (options, attributes, expected) in [
        ("<option value=1 selected>A<option value=2 selected>B<option value=3>C", " multiple", "s=1&s=2"),
        ("<option value=1>A<option value=2>B", " multiple", ""),
        ("<option value=1 selected>A<option value=2 selected>B", "", "s=2"),
        ("<option value=1>A<option value=2>B", " size=3", ""),
        ("<option value=1>A<option value=2>B", " size=1", "s=1"),
        ("<option value=1>A<option value=2>B", " size=x", "s=1"),
        ("<option value=1 disabled>A<option value=2>B", "", "s=2"),
        ("<option value=1 disabled selected>A<option value=2>B", "", ""),
        ("<optgroup disabled><option value=1></optgroup><optgroup><option value=2></optgroup>", "", "s=2"),
        ("<option>A<!-- c --> B</option>", "", "s=A B"),
        ("<option>\n A&nbsp;&amp; \n B", "", "s=A\u{a0}& B"),
        ("<option value>A</option>", "", "s="),
    ] {
        expect_entries(&format!("<select name=s{attributes}>{options}</select>"), expected);
    }
}

#[test]
fn selected_options_share_what_their_select_offers() {
    let options = "<option selected value=1>".repeat(2000);
    let select = format!("<select name=s multiple>{options}</select>");
    let page = page(&format!("<form action=StoreBid>{select}<input name=a></form>"));
    let form = page.actions().find_map(|action| match action {
        Action::Form(form) => Some(form),
        Action::Link { .. } => None,
    });
    let offered: Vec<usize> = form.unwrap().fields().map(|field| field.options().len()).collect();
    assert_eq!((offered.len(), offered[0], offered[1999], offered[2000]), (2001, 2000, 2000, 0));
}

#[test]
fn any_number_of_controls_is_read() {
    let radios = "<input type=radio name=r value=1 checked>".repeat(20_000);
    expect_entries(&format!("{radios}<input type=radio name=r value=2 checked>"), "r=2");
    let disabled = "<input name=dead>".repeat(20_000);
    expect_entries(&format!("<fieldset disabled>{disabled}</fieldset><input name=a>"), "a=");
}

#[test]
fn ticked_boxes_are_submitted() {
    for (content, expected) in [
        ("<input type=radio name=r value=1 checked><input type=radio name=r value=2 checked>", "r=2"),
        ("<input type=radio name=r value=1 checked><input type=radio name=q value=2 checked>", "r=1&q=2"),
        ("<input type=RADIO name=r value=1>", ""),
        ("<input type=checkbox name=c checked><input type=checkbox name=c value=2 checked>", "c=on&c=2"),
    ] {
        expect_entries(content, expected);
    }
}

#[test]
fn one_button_is_pressed() {
    for (content, expected) in [
        ("<input name=a value=1><input type=image name=im src=x>", "a=1&im.x=0&im.y=0"),
        ("<input type=image>", "x=0&y=0"),
        ("<button name=a value=1>A</button><button name=b>B</button>", "a=1"),
        ("<button type=nonsense name=a>A</button>", "a="),
        (
            "<input type=button name=a value=1><button type=reset name=b></button><input type=submit name=c>",
            "c=",
        ),
    ] {
        expect_entries(content, expected);
    }
}

#[test]
fn special_entries_are_made() {
    for (content, expected) in [
        ("<input type=hidden name=_charset_ value=x>", "_charset_=UTF-8"),
        ("<input name=a value=1 dirname=d>", "a=1&d=ltr"),
        ("<input type=file name=f>", "f="),
        ("<input type=date name=d value=soon><input type=nonsense name=t value=' x '>", "d=&t= x "),
        ("<textarea name=t>\n\n a</textarea>", "t=\n a"),
    ] {
        expect_entries(content, expected);
    }
}

#[test]
fn a_button_may_lead_elsewhere() {
    let other = "<form action=ViewItem><input name=a value=1><button name=b value=1>Look</button>\
        <button formaction=StoreBid formmethod=post name=c value=2>Bid</button></form>";
    let page = page(other);
    assert_eq!(submissions(&page), ["a=1&c=2"]);
    assert!(
        page.actions().any(|action| matches!(action, Action::Form(form) if form.method() == Method::Post))
    );
    assert_eq!(page.actions().count(), 2);
}

#[test]
fn controls_belong_to_forms_by_name_and_by_the_parser() {
    for html in [
        "<form id=f action=StoreBid><input name=a></form><input form=f name=b><input name=c>",
        "<form id=f action=StoreBid><input name=a><input form=g name=x><input form name=y></form><button form=f name=b>",
        "<table><form action=StoreBid><tr><td><input name=a><td><input name=b></tr></form></table>",
    ] {
        assert_eq!(submissions(&page(html)), ["a=&b="], "{html}");
    }
}

#[test]
fn forms_say_how_they_are_coded() {
    let coding = |attributes: &str, button: &str| {
        let html = format!("<form action=StoreBid {attributes}>{button}</form>");
        let page = page(&html);
        page.actions().find_map(|action| match action {
            Action::Form(form) => Some((form.method(), form.coding())),
            Action::Link { .. } => None,
        })
    };
    for (attributes, button, expected) in [
        ("", "", Some((Method::Get, FormCoding::Urlencoded))),
        ("method=nonsense", "", Some((Method::Get, FormCoding::Urlencoded))),
        ("method=POST enctype=Multipart/Form-Data", "", Some((Method::Post, FormCoding::Multipart))),
        ("enctype=multipart/form-data", "", Some((Method::Get, FormCoding::Urlencoded))),
        ("method=post enctype=text/plain", "", Some((Method::Post, FormCoding::PlainText))),
        ("", "<button formmethod=post formenctype=text/plain>", Some((Method::Post, FormCoding::PlainText))),
        ("method=dialog", "", None),
    ] {
        assert_eq!(coding(attributes, button), expected, "{attributes} {button}");
    }
}

/// The query of the first link or form that leads to `ViewItem`, on a page with this declared type.
fn query(content_type: &str, body: &[u8]) -> Option<String> {
    let site = Origins::new("shop.example:81", Some("shop.example"));
    let answer = Answer { content_type, site: &site, ..Answer::page(body) };
    let (page, catalogue) = (Page::read(&answer, BASE, &catalogue()), catalogue());
    page.actions().find(|action| catalogue.get(action.to()).name == "ViewItem").map(|action| match action {
        Action::Link { query, .. } => query.to_owned(),
        Action::Form(form) => form.query().to_owned(),
    })
}

#[test]
fn references_resolve_by_the_documents_address_and_base() {
    for (html, expected) in [
        ("<a href='http://SHOP.example:81/auction/ViewItem?a=1'>", Some("a=1")),
        ("<a href='//shop.example:81/auction/ViewItem?a=1'>", Some("a=1")),
        ("<a href='https://shop.example/auction/ViewItem?a=1'>", Some("a=1")),
        ("<form action='http://shop.example:81/auction/ViewItem?a=1'></form>", Some("a=1")),
        ("<map><area href='ViewItem?a=1'></map>", Some("a=1")),
        ("<base href='/auction/x/'><a href='../ViewItem?a=1'>", Some("a=1")),
        ("<base href='/other/'><a href='ViewItem?a=1'>", None),
        ("<base href='http://elsewhere.example/'><a href='/auction/ViewItem'>", None),
        ("<base href='/other/'><form></form>", Some("itemId=1")),
        ("<base target=x><base href='/auction/'><base href='/other/'><a href='ViewItem'>", Some("")),
        ("<a href='http://elsewhere.example/auction/ViewItem'>", None),
        ("<a href='View\nItem?a=\t1'>", Some("a=1")),
        ("<a href='\\auction\\ViewItem?a=1'>", Some("a=1")),
        ("<svg><a href='ViewItem?a=1'/></svg>", Some("a=1")),
        ("<noscript><a href='ViewItem?a=1'></noscript>", Some("a=1")),
    ] {
        assert_eq!(query("text/html; charset=utf-8", html.as_bytes()).as_deref(), expected, "{html}");
    }
}

#[test]
fn documents_are_read_by_their_declared_type_and_encoding() {
    let link = "<a href='ViewItem?a=\u{e4}&amp;b=&eacute;&copy;=&copy1&notit;'>";
    let latin: Vec<u8> = link.chars().map(|c| c as u8).collect();
    let utf8 = "a=%C3%A4&b=%C3%A9%C2%A9=&copy1&notit;";
    assert_eq!(query("text/html; charset=utf-8", link.as_bytes()).as_deref(), Some(utf8));
    assert_eq!(query("text/html", link.as_bytes()).as_deref(), Some(utf8));
    let expected = Some("a=%E4&b=%E9%A9=&copy1&notit;");
    assert_eq!(query("text/html; charset=ISO-8859-1", &latin).as_deref(), expected);
    for kind in ["text/plain", "application/json"] {
        assert_eq!(query(kind, link.as_bytes()), None);
    }
}
