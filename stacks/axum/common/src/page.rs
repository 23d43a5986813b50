use askama::Template;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use std::fmt;
use std::marker::PhantomData;

/// Leads from a page to another.
pub struct Link {
    pub href: String,
    pub text: String,
}

/// Says why a request isn't served.
pub struct Refusal {
    pub status: StatusCode,
    pub text: String,
    /// Leads on those who can mend it.
    pub onward: Option<Link>,
}

impl Refusal {
    pub fn new(status: StatusCode, text: impl Into<String>) -> Self {
        Self { status, text: text.into(), onward: None }
    }

    /// Refuses to show a row that isn't there.
    pub fn unknown(what: &str, id: i32) -> Self {
        Self::new(StatusCode::NOT_FOUND, format!("There is no {what} {id}."))
    }

    #[must_use]
    pub fn onward(self, href: impl Into<String>, text: impl Into<String>) -> Self {
        Self { onward: Some(Link { href: href.into(), text: text.into() }), ..self }
    }

    /// The heading of its page.
    pub fn heading(&self) -> &'static str {
        match self.status {
            StatusCode::BAD_REQUEST => "Bad request",
            StatusCode::FORBIDDEN => "Access denied",
            StatusCode::NOT_FOUND => "Not found",
            StatusCode::INTERNAL_SERVER_ERROR => "Internal error",
            _ => "Refused",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.status, self.text)
    }
}

impl std::error::Error for Refusal {}

/// A page that is sent with status 200.
pub struct Page<T>(pub T);

impl<T: Template> IntoResponse for Page<T> {
    fn into_response(self) -> Response {
        match self.0.render() {
            Ok(text) => Html(text).into_response(),
            Err(error) => {
                tracing::error!(%error, "a template failed");
                StatusCode::INTERNAL_SERVER_ERROR.into_response()
            }
        }
    }
}

/// A refusal, or a fault, which is logged and not shown. `P` is the application's page for both.
pub struct Failure<P>(anyhow::Error, PhantomData<P>);

impl<P, E: Into<anyhow::Error>> From<E> for Failure<P> {
    fn from(error: E) -> Self {
        Self(error.into(), PhantomData)
    }
}

impl<P: Template + From<Refusal>> IntoResponse for Failure<P> {
    fn into_response(self) -> Response {
        let refusal = self.0.downcast().unwrap_or_else(|error| {
            tracing::error!(error = format!("{error:#}"), "a page failed");
            Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "The page cannot be shown.")
        });
        (refusal.status, Page(P::from(refusal))).into_response()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::to_bytes;

    #[derive(Template)]
    #[template(source = "{{ self.0 }}", ext = "html")]
    struct Shown(Refusal);

    impl From<Refusal> for Shown {
        fn from(refusal: Refusal) -> Self {
            Self(refusal)
        }
    }

    async fn answer(error: impl Into<anyhow::Error>) -> (StatusCode, String) {
        let response = Failure::<Shown>::from(error).into_response();
        let status = response.status();
        let body = to_bytes(response.into_body(), 1000).await.expect("the body is short");
        (status, String::from_utf8_lossy(&body).into_owned())
    }

    #[tokio::test]
    async fn a_refusal_is_shown_escaped_and_a_fault_is_not() {
        let (status, body) = answer(Refusal::new(StatusCode::CONFLICT, "<taken>")).await;
        assert_eq!((status, body.contains('<')), (StatusCode::CONFLICT, false), "{body}");
        let (status, body) = answer(std::io::Error::other("secret")).await;
        assert_eq!((status, body.contains("secret")), (StatusCode::INTERNAL_SERVER_ERROR, false), "{body}");
    }
}
