//! New users.

use super::{CAREFUL, Script};
use crate::requests::{about, log_in_as, new_user};

impl Script {
    pub(super) fn registering(&mut self) {
        let add = |script: &mut Self, name: &str, status, changes: &[(&str, &str)]| {
            script.add(format!("RegisterUser: {name}"), status, new_user(changes));
        };
        add(self, "a new user", 200, &[("nickname", "branch")]);
        add(self, "the same again", 409, &[("nickname", "branch")]);
        add(self, "taken in another region", 409, &[("nickname", "user1"), ("region", "2")]);
        add(self, "upper case is another nickname", 200, &[("nickname", "BRANCH"), ("region", "62")]);
        let name = "😀".repeat(20);
        let address = format!("{}@", "é".repeat(49));
        let longest = [
            ("firstname", &*name),
            ("lastname", &name),
            ("nickname", "ABCDEFGHIJ_.-6789012"),
            ("email", &address),
            ("password", &name),
        ];
        add(self, "the longest texts", 200, &longest);
        self.add("AboutMe: a new user", 200, log_in_as("AboutMe", &[], "ABCDEFGHIJ_.-6789012", &name));
        let user = self.model.store.users.len() as i64;
        self.add("ViewUserInfo: a new user", 200, about("ViewUserInfo", "userId", user));
        add(self, "a password of all sorts", 200, &[("nickname", CAREFUL.0), ("password", CAREFUL.1)]);
        let shortest =
            [("firstname", " "), ("lastname", "0"), ("nickname", "-"), ("email", "@"), ("password", "p")];
        add(self, "the shortest texts", 200, &shortest);
        add(self, "no such region", 400, &[("nickname", "branch2"), ("region", "63")]);
        for (field, value) in [
            ("firstname", "x".repeat(21)),
            ("lastname", "ä".repeat(21)),
            ("nickname", "x".repeat(21)),
            ("nickname", "Zoë".to_owned()),
            ("email", format!("@{}", "x".repeat(50))),
            ("email", "nowhere".to_owned()),
            ("password", String::new()),
            ("region", "01".to_owned()),
        ] {
            add(self, &format!("`{value}` as {field}"), 400, &[(field, &value)]);
        }
    }
}
