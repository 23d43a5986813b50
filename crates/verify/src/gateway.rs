//! Requests to the payment gateway: exactly what the model asks the bank for, and only of the gateway itself.
//!
//! A stack might know the bank's rule and never ask, ask for another sum, ask twice, or tell the card to whoever answers in
//! the bank's place. No page and no row shows that. So the gateway's own log is compared with the model's payments.

use crate::{
    ANSWER_LIMIT, Difference, Halt, Subject, VerifyError, concurrency, judge::Judge, lockstep,
    lockstep::Lockstep, progress::ProgressReporter, tables,
};
use application::{Branch, Payment, Step, forms_in_log};
use engine::Connection;
use services::ServiceError;
use stack::{CertificateFault, Site};
use std::collections::{BTreeMap, BTreeSet};
use workload::Effect;

/// The log of a site's payment gateway, from a fresh start on.
pub(crate) struct GatewayLog {
    /// Bytes of the log that were read: whole lines only.
    read: u64,
}

impl GatewayLog {
    /// The log from now on; none where the application takes no cards.
    pub(crate) fn begin(site: &Site<'_>) -> Result<Option<Self>, ServiceError> {
        let log = site.gateway_log(0).transpose()?;
        Ok(log.map(|log| Self { read: log.len() as u64 }))
    }

    /// The forms that came since the last call.
    pub(crate) fn take(&mut self, site: &Site<'_>) -> Result<Vec<String>, ServiceError> {
        let Some(mut log) = site.gateway_log(self.read).transpose()? else { return Ok(Vec::new()) };
        log.truncate(log.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1));
        self.read += log.len() as u64;
        Ok(forms_in_log(&String::from_utf8_lossy(&log)))
    }
}

/// Differences between the forms that a gateway got and the payments of a model; of several models, one must fit.
pub(crate) fn compare(got: &[String], rights: &[Vec<Payment>]) -> Result<(), String> {
    let forms = |payments: &Vec<Payment>| payments.iter().map(Payment::form).collect::<Vec<_>>();
    let rights: Vec<Vec<String>> = rights.iter().map(forms).collect();
    if rights.iter().any(|right| right == got) {
        return Ok(());
    }
    let shown = |forms: &[String]| match forms {
        [] => "nothing".to_owned(),
        forms => forms.iter().map(|form| format!("`{form}`")).collect::<Vec<_>>().join(" and "),
    };
    let right = rights.first().map_or("nothing".to_owned(), |right| shown(right));
    Err(format!("  the payment gateway was asked for {} instead of {right}", shown(got)))
}

/// A write of many at once, as far as the gateway is concerned.
pub(crate) struct Order {
    /// The form by which it asks the gateway; none if it asks for nothing.
    pub(crate) form: Option<String>,
    /// True if its order is there.
    pub(crate) is_placed: bool,
}

/// An order's forms, which differ in their amounts only, as the gateway got them.
#[derive(Default)]
struct Asked<'f> {
    /// With the amount of the cart.
    rightly: usize,
    /// With other amounts.
    otherwise: Vec<&'f str>,
    sent: usize,
    placed: usize,
}

/// The faults of what a gateway got from clients who ordered at once. Each asks at most once, and who gets an order has asked for
/// the amount of its own cart. Who comes too late may have asked for the cart that another has just emptied, which costs everybody
/// the same.
pub(crate) fn compare_at_once(got: &[String], orders: &[Order]) -> Vec<String> {
    let mut asked: BTreeMap<&str, Asked<'_>> = BTreeMap::new();
    let mut right: BTreeMap<&str, &str> = BTreeMap::new();
    for (form, order) in orders.iter().filter_map(|order| Some((order.form.as_deref()?, order))) {
        let (amount, rest) = amount_and_rest(form);
        right.insert(rest, amount);
        let own = asked.entry(rest).or_default();
        own.sent += 1;
        own.placed += usize::from(order.is_placed);
    }
    let mut emptied = BTreeSet::new();
    for form in got {
        let (amount, rest) = amount_and_rest(form);
        let own = asked.entry(rest).or_default();
        if right.get(rest) == Some(&amount) {
            own.rightly += 1;
        } else {
            own.otherwise.push(form);
            emptied.insert(amount);
        }
    }
    let fault = |(rest, Asked { rightly, otherwise, sent, placed }): (&str, Asked<'_>)| {
        let all = rightly + otherwise.len();
        match otherwise.first() {
            Some(form) if sent == 0 || emptied.len() > 1 || otherwise.len() > sent - placed => {
                Some(format!("the payment gateway was asked for `{form}`, which nobody has ordered"))
            }
            _ if all > sent => Some(format!(
                "the payment gateway was asked {all} times for `{rest}`, which was ordered {sent} times"
            )),
            _ if rightly < placed => Some(format!(
                "the payment gateway was asked {rightly} times for `{rest}`, of which {placed} orders were placed"
            )),
            _ => None,
        }
    };
    asked.into_iter().filter_map(fault).collect()
}

/// The amount of a form, which is its first field, and all else.
fn amount_and_rest(form: &str) -> (&str, &str) {
    form.split_once('&').unwrap_or((form, ""))
}

/// Puts strangers, whose certificates no client may accept, in the gateway's place, and confirms an order: the stack must
/// tell them nothing, refuse the order, and change nothing. Returns the number of requests; none where the application takes no
/// cards, or where the model itself is served.
pub(crate) fn check_stranger(
    subject: &Subject<'_>,
    site: &mut Site<'_>,
    progress: &mut ProgressReporter<'_>,
) -> Result<usize, VerifyError> {
    if subject.application.payment_rule().is_none() || !site.has_stores() {
        return Ok(0);
    }
    progress.begin("with a stranger as the payment gateway");
    site.refresh()?;
    let Some((before, order)) = way_to_an_order(subject, site) else { return Ok(0) };
    let model = {
        let mut lockstep = Lockstep::new(subject, site)?;
        for step in &before {
            lockstep.send(step).map_err(|halt| odd(halt, None))?;
        }
        lockstep.model
    };
    for fault in CertificateFault::ALL {
        if !site.mimic_gateway(fault)? {
            return Ok(0);
        }
        let mut log = GatewayLog::begin(site)?;
        let told = confirm(subject, site, &order).and_then(|()| {
            let asked = log.as_mut().map_or(Ok(Vec::new()), |log| log.take(site));
            compare(&asked.map_err(|fault| fault.to_string())?, &[Vec::new()])
        });
        told.map_err(|text| {
            let text =
                format!("  while a stranger, {fault}, answers in place of the payment gateway:\n{text}");
            VerifyError::Odd(Difference { step: Some(order.clone()), text })
        })?;
    }
    let mut lockstep = Lockstep::new(subject, site)?;
    lockstep.model = model;
    tables::expect_equal(&lockstep).map_err(|halt| odd(halt, Some(&order)))?;
    Ok(before.len() + CertificateFault::ALL.len())
}

/// The writes of the application's script that lead to its first order, and that order; none if the stack lacks one of them.
fn way_to_an_order(subject: &Subject<'_>, site: &Site<'_>) -> Option<(Vec<Step>, Step)> {
    let mut model = subject.application.model(&site.dataset(), subject.key.clone());
    let mut before = Vec::new();
    for Branch { step, status, .. } in subject.application.branches(&site.dataset(), &subject.key) {
        let Some(id) = subject.catalogue.by_path(&step.path) else { continue };
        if status >= 400 || subject.catalogue.get(id).effect != Effect::Write {
            continue;
        }
        if !subject.scope.contains(&id) {
            return None;
        }
        let sent = lockstep::written(&step, subject, concurrency::now());
        model.converse(&sent.request, &sent.headers, concurrency::now());
        if !model.take_payments().is_empty() {
            return Some((before, step));
        }
        before.push(step);
    }
    None
}

/// Sends an order, which must be refused.
fn confirm(subject: &Subject<'_>, site: &Site<'_>, order: &Step) -> Result<(), String> {
    let judge = Judge::new(subject, site).map_err(|fault| fault.to_string())?;
    let sent = lockstep::written(order, subject, concurrency::now());
    let is_secure = subject.catalogue.is_secure_at(&order.path);
    let target = site.target();
    let no_answer = |fault| format!("  no answer: {}", lockstep::with_causes(&fault));
    let opened = Connection::open(&target, ANSWER_LIMIT).map(|connection| connection.until(subject.stop));
    let got = lockstep::transmit(&mut opened.map_err(no_answer)?, is_secure, &sent, &target.plain.host);
    let got = got.map_err(no_answer)?;
    judge.expect_harmless(&got, &order.path)?;
    if got.status >= 400 {
        Ok(())
    } else {
        Err(format!("  status {} to an order that nobody has paid", got.status))
    }
}

/// A difference that no saved sequence shows.
fn odd(halt: Halt, step: Option<&Step>) -> VerifyError {
    match halt {
        Halt::Fault(fault) => fault,
        Halt::Difference(difference) => {
            let step = difference.step.or_else(|| step.cloned());
            VerifyError::Odd(Difference { step, ..difference })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn payment(amount: &str) -> Payment {
        Payment {
            reference: "7".to_owned(),
            number: "4111111111111111".to_owned(),
            expiry: "2030-12".to_owned(),
            amount: amount.to_owned(),
        }
    }

    #[test]
    fn of_orders_at_once_each_asks_once_for_its_own_amount() {
        let form = |reference: &str, amount: &str| {
            Payment { reference: reference.to_owned(), ..payment(amount) }.form()
        };
        let (first, second) = (form("1", "12.50"), form("2", "7.00"));
        let order = |form: &str, is_placed| Order { form: Some(form.to_owned()), is_placed };
        let orders = [
            order(&first, true),
            order(&first, false),
            order(&first, false),
            order(&second, true),
            Order { form: None, is_placed: true },
        ];
        let faults = |got: &[&String]| {
            let got: Vec<String> = got.iter().map(|form| (*form).clone()).collect();
            compare_at_once(&got, &orders).join("; ")
        };
        assert_eq!(faults(&[&second, &first]), "", "refused before they asked");
        assert_eq!(faults(&[&first, &second, &first]), "", "refused after it asked");
        let [empty, mixed] = ["3.00", "7.00"].map(|amount| form("1", amount));
        assert_eq!(faults(&[&first, &empty, &second, &empty]), "", "the cart was empty by then");
        for (got, fault) in [
            (vec![&first], "asked 0 times"),
            (vec![&second, &empty], "asked 0 times"),
            (vec![&first, &second, &second], "asked 2 times"),
            (vec![&first, &first, &first, &second, &empty], "asked 4 times"),
            (vec![&first, &second, &empty, &mixed], "which nobody has ordered"),
            (vec![&first, &second, &form("3", "3.00")], "which nobody has ordered"),
            (vec![&first, &form("2", "3.00")], "which nobody has ordered"),
        ] {
            let found = faults(&got);
            assert!(found.contains(fault) && !found.contains("; "), "{found}");
        }
    }

    #[test]
    fn the_gateway_must_have_been_asked_for_the_same_and_as_often() {
        let (right, form) = (payment("12.50"), payment("12.50").form());
        assert_eq!(compare(&[], &[Vec::new()]), Ok(()));
        assert_eq!(
            compare(std::slice::from_ref(&form), &[Vec::new(), vec![right.clone()]]),
            Ok(()),
            "one of them"
        );
        for wrong in [vec![], vec![payment("12.5").form()], vec![form.clone(), form.clone()]] {
            let text = compare(&wrong, &[vec![right.clone()]]).unwrap_err();
            assert!(text.contains(&form) && text.contains("instead of"), "{text}");
        }
        let text = compare(&[form], &[Vec::new()]).unwrap_err();
        assert!(text.ends_with("instead of nothing"), "{text}");
    }
}
