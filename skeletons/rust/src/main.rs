//! Sends the application's files, and one page from the database for everything else: server ADDRESS FILES.

use axum::{
    Router,
    extract::State,
    http::{HeaderValue, StatusCode, header::CONTENT_TYPE},
    middleware::map_response,
    response::{Html, IntoResponse, Response},
};
use sqlx::AnyPool;
use std::{env, error::Error};
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
};
use tower_http::services::ServeDir;

/// Both databases describe themselves so.
const TABLES: &str = "SELECT CONCAT('', table_name) FROM information_schema.tables \
    WHERE table_schema NOT IN ('information_schema', 'performance_schema', 'pg_catalog') ORDER BY table_name";

/// Where the data are. The password is of letters and digits.
fn address_of_database() -> Result<String, env::VarError> {
    let at = |name: &str| env::var(format!("TIERBENCH_DB_{name}"));
    let scheme = if at("SERVICE")? == "mariadb" { "mysql" } else { "postgres" };
    Ok(format!(
        "{scheme}://{}:{}@{}:{}/{}",
        at("USER")?,
        at("PASSWORD")?,
        at("HOST")?,
        at("PORT")?,
        at("NAME")?
    ))
}

async fn page(State(database): State<AnyPool>) -> Response {
    match sqlx::query_scalar::<_, String>(TABLES).fetch_all(&database).await {
        Ok(names) => {
            let items: String = names.iter().map(|name| format!("<li>{}</li>", name)).collect();
            Html(format!(
                "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>__STACK__</title></head>\n\
                 <body><h1>__STACK__ answers</h1><p>The database has these tables:</p><ul>{items}</ul></body>\n</html>\n"
            ))
            .into_response()
        }
        Err(fault) => {
            eprintln!("{fault}");
            (StatusCode::INTERNAL_SERVER_ERROR, "The database gives no answer.").into_response()
        }
    }
}

/// Names the encoding of texts, which `ServeDir` leaves out: all files of an application are UTF-8.
async fn with_encoding(mut answer: Response) -> Response {
    let kind = answer.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let is_text = (kind.starts_with("text/") || kind == "image/svg+xml") && !kind.contains("charset");
    if is_text && let Ok(named) = HeaderValue::from_str(&format!("{kind}; charset=utf-8")) {
        answer.headers_mut().insert(CONTENT_TYPE, named);
    }
    answer
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().collect();
    sqlx::any::install_default_drivers();
    let database = AnyPool::connect_lazy(&address_of_database()?)?;
    let page = Router::new().fallback(page).with_state(database);
    // The folder mirrors URLs: FILES/comments/style.css is /comments/style.css.
    let files = ServeDir::new(&arguments[2]).call_fallback_on_method_not_allowed(true).fallback(page);
    let site = Router::new().fallback_service(files).layer(map_response(with_encoding));
    let mut ended = signal(SignalKind::terminate())?;
    axum::serve(TcpListener::bind(&arguments[1]).await?, site)
        .with_graceful_shutdown(async move { drop(ended.recv().await) })
        .await?;
    Ok(())
}
