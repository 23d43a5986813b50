//! Templates of configuration files, commands and queries.

use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior, Value};

/// The instructions that a template may take. The longest of ours takes some hundreds.
const MOST_INSTRUCTIONS: u64 = 1_000_000;

/// Fills a template in. A name without a value is an error, and so is a template that does not end.
pub(crate) fn render(text: &str, values: &Value) -> Result<String, Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_fuel(Some(MOST_INSTRUCTIONS));
    environment.render_str(text, values)
}

/// A template error without its place.
pub(crate) fn message(fault: &Error) -> String {
    let kind = fault.kind();
    if kind == ErrorKind::OutOfFuel {
        return format!("it takes more than {MOST_INSTRUCTIONS} instructions; shorten its loops");
    }
    fault.detail().map_or(kind.to_string(), |detail| format!("{kind}: {detail}"))
}

#[cfg(test)]
mod tests {
    use super::{message, render};
    use minijinja::context;

    #[test]
    fn a_template_that_does_not_end_is_an_error() {
        for endless in [
            "{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}",
            "{% for i in range(100000) %}{% for j in range(100000) %}0123456789{% endfor %}{% endfor %}",
            "{% macro again() %}{{ again() }}{{ again() }}{% endmacro %}{{ again() }}",
        ] {
            let fault = render(endless, &context! {}).unwrap_err();
            let said = message(&fault);
            assert!(said.contains("instructions") || said.contains("recursion"), "{said}");
        }
    }
}
