//! The auction's model behind a real socket, with a real client.

use application::{Application, BODY_LIMIT, Dataset, Timestamp, TokenKey};
use auction::AUCTION;
use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    thread,
    time::{SystemTime, UNIX_EPOCH},
};
use ureq::{Agent, Body, http::Response};

/// Starts a server whose thread ends with the test's process.
fn served() -> SocketAddr {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = listener.local_addr().unwrap();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() as i64;
    let dataset = Dataset::new(1, 0.001, Timestamp(now));
    thread::spawn(move || {
        reference::serve(AUCTION.model(&dataset, TokenKey::new("secret")), listener, None, None).unwrap();
    });
    address
}

fn agent() -> Agent {
    Agent::config_builder().http_status_as_error(false).build().into()
}

fn content_type(response: &Response<Body>) -> &str {
    response.headers()["content-type"].to_str().unwrap()
}

#[test]
fn a_user_browses_logs_in_and_bids() {
    let site = format!("http://{}/auction", served());
    let agent = agent();
    let get = |path: &str| agent.get(format!("{site}/{path}")).call().unwrap();
    for file in AUCTION.static_files() {
        let mut response = get(file.path.strip_prefix("/auction/").unwrap());
        assert_eq!((response.status().as_u16(), content_type(&response)), (200, file.content_type));
        assert_eq!(response.body_mut().read_to_vec().unwrap(), file.body);
    }
    let open = (1..)
        .find(|id| {
            get(&format!("ViewItem?itemId={id}")).body_mut().read_to_string().unwrap().contains("PutBidAuth")
        })
        .unwrap()
        .to_string();
    let account = AUCTION.account(3);
    let log_in = [("itemId", &open), ("nickname", &account.nickname), ("password", &account.password)];
    let page =
        agent.post(format!("{site}/PutBid")).send_form(log_in).unwrap().body_mut().read_to_string().unwrap();
    let token = page.split_once(r#"name="token" value=""#).unwrap().1.split('"').next().unwrap();
    let offer =
        [("itemId", open.as_str()), ("token", token), ("bid", "99999"), ("maxBid", "99999"), ("qty", "1")];
    let mut confirmed = agent.post(format!("{site}/StoreBid")).send_form(offer).unwrap();
    assert_eq!(confirmed.status(), 200);
    assert!(confirmed.body_mut().read_to_string().unwrap().contains(r#"<data class="acknowledged" value=""#));
    let again = agent.post(format!("{site}/StoreBid")).send_form(offer).unwrap();
    assert_eq!(again.status(), 409);
}

#[test]
fn the_server_survives_bad_requests() {
    let address = served();
    let site = format!("http://{address}/auction");
    let agent = agent();
    let unknown = agent.get(format!("{site}/nowhere")).call().unwrap();
    assert_eq!((unknown.status().as_u16(), content_type(&unknown)), (404, "text/html; charset=utf-8"));
    assert_eq!(agent.get(format!("{site}/StoreBid")).call().unwrap().status(), 404);
    let post =
        |length: usize| agent.post(format!("{site}/StoreBid")).send("x".repeat(length)).unwrap().status();
    assert_eq!(post(BODY_LIMIT), 400);
    assert_eq!(post(BODY_LIMIT + 1), 413);
    for nonsense in [
        &b"\x00\xff\r\n\r\n"[..],
        b"GET /auction/ViewItem?itemId=\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /auction/index.html HTTP/1.1\r\n\r\n",
        b"GET /auction/index.html HTTP/1.1\r\nHost: <b>\r\n\r\n",
        b"GET /auction/index.html HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n",
    ] {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(nonsense).unwrap();
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"HTTP/1.1 400");
    }
    assert_eq!(agent.get(format!("{site}/index.html")).call().unwrap().status(), 200);
}

#[test]
fn a_connection_serves_many_requests() {
    let mut stream = TcpStream::connect(served()).unwrap();
    for _ in 0..3 {
        stream.write_all(b"GET /auction/ViewItem?itemId=x HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
        let mut answer = Vec::new();
        while !answer.ends_with(b"</html>\n") && !answer.ends_with(b"</html>") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            answer.push(byte[0]);
        }
        assert!(answer.starts_with(b"HTTP/1.1 400"), "{}", String::from_utf8_lossy(&answer));
    }
}
