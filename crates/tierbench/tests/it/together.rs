//! Users who see each other's pages while a point is measured.

use crate::sandbox::{Sandbox, turn};
use results::CheckId;

/// Only here do users of a site with such a fault meet in a measured load.
#[test]
fn a_point_in_which_users_get_pages_of_others_is_invalid() {
    let _turn = turn();
    let sandbox = Sandbox::new();
    let ended = sandbox.finish(sandbox.measure_for("Model,fault=protocol.together", "200", "3s"));
    ended.expect(7, &["no VALID point"]);
    let point = sandbox.points().remove(0);
    assert!(point.errors["page-of-another"] > 0, "{:?}", point.errors);
    let errors = point.verdict.checks.iter().find(|check| check.id == CheckId::Errors).unwrap();
    assert!(!errors.passed && errors.figure.contains("pages of other users"), "{errors:?}");
}
