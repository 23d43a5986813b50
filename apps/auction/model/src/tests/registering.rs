//! New users.

use super::*;
use crate::rows::User;

#[test]
fn a_user_registers_once() {
    let mut site = Site::new();
    let body = "firstname=%3Cb%3E&lastname=O%27Brien+%26+S%C3%B8n&nickname=new_1&email=a%40b&password=+p%26&region=62";
    let page = site.post("RegisterUser", body);
    assert_decent(&page);
    let id = site.0.store.users.len() as i64;
    assert_eq!(acknowledged(&page), id);
    assert_eq!(text(&page, "dd"), "<b> O'Brien & Søn");
    let stored = User {
        id,
        firstname: "<b>".to_owned(),
        lastname: "O'Brien & Søn".to_owned(),
        nickname: "new_1".to_owned(),
        password: application::password_hash("new_1", " p&"),
        email: "a@b".to_owned(),
        rating: 0,
        balance: Money(0),
        creation_date: EPOCH,
        region: 62,
    };
    assert_eq!(site.0.store.users.last(), Some(&stored));
    let taken = conflict("The nickname new_1 is taken. Please choose another one.");
    assert_eq!(site.refused("POST", "RegisterUser", body), taken);
    assert_eq!(site.refused("POST", "RegisterUser", &body.replace("=62", "=63")), missing("region"));
    assert_eq!(site.refused("POST", "RegisterUser", &body.replace("%40", "")), missing("email"));
    assert_eq!(site.refused("POST", "RegisterUser", &body.replace("new_1", "a%2Fb")), missing("nickname"));
    site.post("RegisterUser", &body.replace("new_1", "New_1"));
    let item = site.item(open).id;
    site.post("PutBid", &format!("itemId={item}&nickname=new_1&password=+p%26"));
}
