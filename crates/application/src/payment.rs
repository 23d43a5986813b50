//! A bank's answers to payments: one rule for the model and for the payment gateway of its stacks. And what a gateway was
//! asked, as it logs it.

use crate::Parameters;
use workload::append_pair;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payment {
    /// A repeated request with the same reference is not charged again.
    pub reference: String,
    pub number: String,
    /// Month, as `2030-12`.
    pub expiry: String,
    /// Sum, as `12.50`.
    pub amount: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Authorization {
    /// Approved, with the bank's number.
    Approved(String),
    Declined,
    TimesOut,
}

/// The bank's answer to each payment. It is stateless: the same payment has the same answer.
pub type PaymentRule = fn(&Payment) -> Authorization;

/// The beginning of a line in a gateway's log for each request that it got.
const ASKED: &str = "asked for: ";

impl Payment {
    /// The form by which a gateway is asked for it.
    pub fn form(&self) -> String {
        let Self { reference, number, expiry, amount } = self;
        let fields = [("amount", amount), ("expiry", expiry), ("number", number), ("reference", reference)];
        written(&fields.map(|(name, value)| (name.to_owned(), value.clone())))
    }
}

/// The line that a gateway logs of a form that it got.
pub fn gateway_line(form: &[u8]) -> String {
    let mut fields: Vec<(String, String)> = Parameters::decode(form).texts().collect();
    fields.sort();
    format!("{ASKED}{}", written(&fields))
}

/// The forms that a gateway got by a part of its log, each as [`Payment::form`] writes it.
pub fn forms_in_log(log: &str) -> Vec<String> {
    log.lines().filter_map(|line| Some(line.strip_prefix(ASKED)?.to_owned())).collect()
}

fn written(fields: &[(String, String)]) -> String {
    let mut form = String::new();
    fields.iter().for_each(|(name, value)| append_pair(&mut form, name, value));
    form
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gateway_logs_what_it_is_asked_for_whatever_the_order_and_the_escapes() {
        let payment = Payment {
            reference: "7".to_owned(),
            number: "4111111111111111".to_owned(),
            expiry: "2030-12".to_owned(),
            amount: "12.50".to_owned(),
        };
        let forms =
            [payment.form(), "reference=7&number=4111111111111111&expiry=2030%2D12&amount=12.50".to_owned()];
        for form in forms {
            let log = format!("it listens\n{}\n", gateway_line(form.as_bytes()));
            assert_eq!(forms_in_log(&log), [payment.form()]);
        }
        let more = gateway_line(b"reference=7&number=1&expiry=x&amount=1.00&name=a%0Ab");
        assert!(more.ends_with("&name=a%0Ab&number=1&reference=7") && more.lines().count() == 1, "{more}");
    }
}
