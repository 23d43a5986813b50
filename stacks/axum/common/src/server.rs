use crate::Settings;
use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn, map_response};
use axum::response::{IntoResponse, Response};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::io;
use std::path::Path;
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::{sleep, timeout};
use tower_http::services::ServeFile;

const BACKLOG: u32 = 4096;

/// The time in which requests that have begun are answered after TERM. We are killed after 10 s.
const GRACE: Duration = Duration::from_secs(8);

/// The pause after a connection that could not be accepted, such as for want of a file descriptor.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves an application's pages and files until TERM comes.
pub async fn serve(settings: &Settings, pages: Router) -> anyhow::Result<()> {
    let site = pages.layer(from_fn(to_the_end)).merge(files(&settings.files)?);

    let socket = if settings.listen.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(true)?;
    socket.bind(settings.listen)?;
    let listener = socket.listen(BACKLOG)?;
    let mut server = http1::Builder::new();
    // An idle connection is one whose next request doesn't come.
    server.timer(TokioTimer::new()).header_read_timeout(settings.keep_alive);
    let mut term = signal(SignalKind::terminate())?;
    let connections = GracefulShutdown::new();
    loop {
        let stream = tokio::select! {
            stream = accept(&listener) => stream,
            _ = term.recv() => break,
        };
        let service = TowerToHyperService::new(site.clone());
        let connection = connections.watch(server.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection failed");
            }
        });
    }
    drop(listener);
    if timeout(GRACE, connections.shutdown()).await.is_err() {
        tracing::warn!("some requests were not answered in time");
    }
    Ok(())
}

/// Makes a page in a task of its own, which goes on when the client hangs up. hyper would drop it half-way, and SQLx returns a
/// connection to the pool with an open transaction if it is dropped while it waits for the answer to BEGIN.
async fn to_the_end(request: Request, next: Next) -> Response {
    let page = tokio::spawn(next.run(request)).await;
    page.unwrap_or_else(|_| StatusCode::INTERNAL_SERVER_ERROR.into_response())
}

/// The application's files, each with its own path: the folder mirrors URLs. `ServeDir` would answer 500 to a long name.
fn files(folder: &Path) -> io::Result<Router> {
    let mut files = Router::new();
    for application in folder.read_dir()? {
        for file in application?.path().read_dir()? {
            let file = file?.path();
            let address = file.strip_prefix(folder).unwrap_or(&file).display();
            files = files.route_service(&format!("/{address}"), ServeFile::new(&file));
        }
    }
    Ok(files.layer(map_response(name_character_set)))
}

async fn accept(listener: &TcpListener) -> TcpStream {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                // Answers are written in one piece, so nothing is gained by waiting for more.
                let _ = stream.set_nodelay(true);
                return stream;
            }
            Err(error) => {
                tracing::error!(%error, "a connection was not accepted");
                sleep(PAUSE).await;
            }
        }
    }
}

/// Says that text is UTF-8. `ServeFile` knows types, but no character sets.
async fn name_character_set(mut answer: Response) -> Response {
    if let Some(kind) = answer.headers_mut().get_mut(header::CONTENT_TYPE) {
        let named = match kind.as_bytes() {
            b"text/html" => "text/html; charset=utf-8",
            b"text/css" => "text/css; charset=utf-8",
            b"image/svg+xml" => "image/svg+xml; charset=utf-8",
            _ => return answer,
        };
        *kind = HeaderValue::from_static(named);
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn text_is_said_to_be_utf_8() {
        for (kind, named) in [("image/svg+xml", "image/svg+xml; charset=utf-8"), ("image/png", "image/png")] {
            let mut answer = Response::default();
            answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
            let answer = name_character_set(answer).await;
            assert_eq!(answer.headers()[header::CONTENT_TYPE], named);
        }
    }
}
