//! What the payment gateway is asked for: exactly what the model asks the bank for, and only of the gateway itself.
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
use stack::Site;
use workload::Effect;

/// The log of a site's payment gateway, from a fresh start on.
pub(crate) struct GatewayLog {
    /// How much of it was read: whole lines only.
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

/// How the forms that a gateway got differ from the payments of a model; of several models, one must fit.
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

/// Puts a stranger, whose certificate nobody has signed for, in the gateway's place, and confirms an order: the stack must
/// tell him nothing, refuse the order, and change nothing. Returns the number of requests; none where the application takes no
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
    if !site.mimic_gateway()? {
        return Ok(0);
    }
    let mut log = GatewayLog::begin(site)?;
    let told = confirm(subject, site, &order);
    let told = told.and_then(|()| {
        let asked =
            log.as_mut().map_or(Ok(Vec::new()), |log| log.take(site)).map_err(|fault| fault.to_string())?;
        compare(&asked, &[Vec::new()])
    });
    told.map_err(|text| {
        VerifyError::Odd(Difference {
            step: Some(order.clone()),
            text: format!("  while a stranger answers in place of the payment gateway:\n{text}"),
        })
    })?;
    let mut lockstep = Lockstep::new(subject, site)?;
    lockstep.model = model;
    tables::expect_equal(&lockstep).map_err(|halt| odd(halt, Some(&order)))?;
    Ok(before.len() + 1)
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
