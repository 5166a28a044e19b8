//! Proxies of each kind, played by a few lines each.

use super::cancelling::{check_cancel, held};
use super::server::{Client, Server, json, read_request, tls};
use super::{ask, certificate, connection, http};
use crate::bitbucket::connection::{Connection, Proxy, ProxyKind};
use crate::bitbucket::error::Fault;
use crate::secret::Secret;
use rustls::{ALL_VERSIONS, ServerConnection, StreamOwned};
use std::io::{BufReader, Read, Write, copy};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread;

/// What a CONNECT proxy was asked: the line and the credentials.
type Heard = Arc<Mutex<Vec<(String, Option<String>)>>>;

/// A CONNECT proxy: 200 and a tunnel, or another status and nothing.
fn connect_proxy(status: u16) -> (u16, Heard) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let heard = Heard::default();
    let hearing = Arc::clone(&heard);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let hearing = Arc::clone(&hearing);
            thread::spawn(move || {
                let mut reader = BufReader::new(stream.try_clone().expect("a second handle"));
                let Some(asked) = read_request(&mut reader) else {
                    return;
                };
                let credentials = asked.header("proxy-authorization").map(str::to_owned);
                hearing
                    .lock()
                    .expect("no panic")
                    .push((asked.line.clone(), credentials));
                let mut stream = stream;
                let head = format!("HTTP/1.1 {status} Words\r\n\r\n");
                if stream.write_all(head.as_bytes()).is_err() || status != 200 {
                    return;
                }
                let target = asked.line.trim_start_matches("CONNECT ").to_owned();
                tunnel(stream, TcpStream::connect(target).expect("the target"));
            });
        }
    });
    (port, heard)
}

fn tunnel(mut near: TcpStream, mut far: TcpStream) {
    let (mut near_in, mut far_in) = (
        near.try_clone().expect("a handle"),
        far.try_clone().expect("a handle"),
    );
    thread::spawn(move || {
        let _ = copy(&mut far_in, &mut near);
        let _ = near.shutdown(Shutdown::Both);
    });
    let _ = copy(&mut near_in, &mut far);
    let _ = far.shutdown(Shutdown::Both);
}

/// A SOCKS 5 proxy that lets everybody through whose password is `open`, or everybody if it wants
/// none.
fn socks_proxy(wants_password: bool) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || serve_socks(stream, wants_password));
        }
    });
    port
}

fn serve_socks(mut stream: TcpStream, wants_password: bool) -> Option<()> {
    let take = |stream: &mut TcpStream, count: usize| {
        let mut bytes = vec![0; count];
        stream.read_exact(&mut bytes).ok().map(|()| bytes)
    };
    let greeting = take(&mut stream, 2)?;
    let methods = take(&mut stream, usize::from(greeting[1]))?;
    let method = match (wants_password, methods.contains(&2)) {
        (false, _) => 0,
        (true, true) => 2,
        (true, false) => 0xff,
    };
    stream.write_all(&[5, method]).ok()?;
    if method == 0xff {
        return None;
    }
    if method == 2 {
        let name = take(&mut stream, 2)?[1];
        take(&mut stream, usize::from(name))?;
        let length = take(&mut stream, 1)?[0];
        let is_right = take(&mut stream, usize::from(length))? == b"open";
        stream.write_all(&[1, u8::from(!is_right)]).ok()?;
    }
    let head = take(&mut stream, 4)?;
    assert_eq!(head[3], 3, "the name is left to the proxy to look up");
    let length = take(&mut stream, 1)?[0];
    let host = String::from_utf8(take(&mut stream, usize::from(length))?).ok()?;
    let port = take(&mut stream, 2)?;
    let target = TcpStream::connect((host, u16::from_be_bytes([port[0], port[1]]))).ok()?;
    stream.write_all(&[5, 0, 0, 1, 127, 0, 0, 1, 0, 0]).ok()?;
    tunnel(stream, target);
    Some(())
}

fn through(
    server: &Server,
    kind: ProxyKind,
    port: u16,
    credentials: Option<(&str, &str)>,
) -> Connection {
    let proxy = Proxy {
        kind,
        host: "localhost".to_owned(),
        port,
        credentials: credentials.map(|(name, password)| (name.to_owned(), Secret::new(password))),
    };
    Connection {
        proxy: Some(proxy),
        ca_file: Some(certificate("ca.pem")),
        ..connection(server)
    }
}

#[track_caller]
fn check_refused(connection: &Connection, words: &str) {
    let error = ask(&http(connection)).expect_err("refused");
    assert_eq!(error.fault(), Fault::ProxyRefused, "{error}");
    assert!(
        error.to_string().contains(words),
        "{error}\nwanted: {words}"
    );
    assert!(!error.to_string().contains("open-sesame"), "{error}");
}

#[test]
fn a_proxy_is_asked_for_the_host_and_sees_nothing_else() {
    let server = Server::start_tls(tls("server", Client::Ignored, ALL_VERSIONS), |_, _| {
        json(200, "{}")
    });
    let (port, heard) = connect_proxy(200);
    ask(&http(&through(
        &server,
        ProxyKind::Http,
        port,
        Some(("wren", "open-sesame")),
    )))
    .expect("an answer");
    let heard = heard.lock().expect("no panic").clone();
    let credentials = Some("Basic d3JlbjpvcGVuLXNlc2FtZQ==".to_owned());
    assert_eq!(
        heard,
        [(format!("CONNECT localhost:{}", server.port()), credentials)]
    );
    assert_eq!(server.asked()[0].header("proxy-authorization"), None);
}

#[test]
fn a_call_through_a_proxy_ends_at_once_when_it_is_cancelled() {
    let (let_go, reply) = held();
    let server = Server::start_tls(tls("server", Client::Ignored, ALL_VERSIONS), move |_, _| {
        reply()
    });
    let (port, _) = connect_proxy(200);
    check_cancel(
        &server,
        &http(&through(&server, ProxyKind::Http, port, None)),
        &let_go,
    );
    let (let_go, reply) = held();
    let server = Server::start(move |_, _| reply());
    check_cancel(
        &server,
        &http(&through(
            &server,
            ProxyKind::Socks5,
            socks_proxy(false),
            None,
        )),
        &let_go,
    );
}

#[test]
fn a_proxy_inside_tls_is_spoken_to_inside_tls() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let config = Arc::new(tls("server", Client::Ignored, ALL_VERSIONS));
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let connection = ServerConnection::new(Arc::clone(&config)).expect("a side");
            let mut stream = BufReader::new(StreamOwned::new(connection, stream));
            let Some(asked) = read_request(&mut stream) else {
                continue;
            };
            assert!(asked.line.starts_with("CONNECT localhost:"));
            // No tunnel: that the question came through TLS is what is asked here.
            let _ = stream.get_mut().write_all(b"HTTP/1.1 403 No\r\n\r\n");
        }
    });
    let server = Server::start(|_, _| json(200, "{}"));
    check_refused(
        &through(&server, ProxyKind::Https, port, None),
        "refused: it answered 403, forbidden",
    );
}

#[test]
fn a_proxy_that_says_no_is_told_apart() {
    let server = Server::start_tls(tls("server", Client::Ignored, ALL_VERSIONS), |_, _| {
        json(200, "{}")
    });
    let asks = |status, credentials| {
        through(
            &server,
            ProxyKind::Http,
            connect_proxy(status).0,
            credentials,
        )
    };
    check_refused(
        &asks(407, None),
        "wants credentials (bb speaks Basic alone; put them into --proxy, BB_PROXY)",
    );
    check_refused(
        &asks(407, Some(("wren", "open-sesame"))),
        "did not take its credentials (bb speaks Basic alone",
    );
    check_refused(&asks(403, None), "refused: it answered 403, forbidden");
    check_refused(
        &asks(502, None),
        "refused: it answered that it cannot reach Bitbucket",
    );
    let closed = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = closed.local_addr().expect("an address").port();
    drop(closed);
    let words = format!("cannot reach the proxy localhost:{port}: the connection was refused");
    check_refused(&through(&server, ProxyKind::Http, port, None), &words);
    check_refused(&through(&server, ProxyKind::Socks5, port, None), &words);
    assert!(server.asked().is_empty());
}

#[test]
fn a_socks_proxy_takes_a_password_or_says_no() {
    let server = Server::start(|_, _| json(200, "{}"));
    ask(&http(&through(
        &server,
        ProxyKind::Socks5,
        socks_proxy(true),
        Some(("wren", "open")),
    )))
    .expect("an answer");
    let wrong = through(
        &server,
        ProxyKind::Socks5,
        socks_proxy(true),
        Some(("wren", "open-sesame")),
    );
    check_refused(&wrong, "did not take its credentials");
    check_refused(
        &through(&server, ProxyKind::Socks5, socks_proxy(true), None),
        "wants credentials",
    );
}

#[test]
fn none_means_none_whatever_the_environment_says() {
    const SELF: &str =
        "bitbucket::http::tests::proxies::none_means_none_whatever_the_environment_says";
    if std::env::var_os("ALL_PROXY").is_some_and(|proxy| proxy == NOBODY) {
        let server = Server::start(|_, _| json(200, "{}"));
        ask(&http(&connection(&server))).expect("an answer, for nobody's proxy was not asked");
        return;
    }
    // The environment of a process is read once and shared by every test, so another process has
    // it.
    let mut again = Command::new(std::env::current_exe().expect("this program"));
    again.args(["--exact", SELF]);
    for name in [
        "ALL_PROXY",
        "all_proxy",
        "HTTP_PROXY",
        "http_proxy",
        "HTTPS_PROXY",
        "https_proxy",
    ] {
        again.env(name, NOBODY);
    }
    let output = again
        .env_remove("NO_PROXY")
        .env_remove("no_proxy")
        .output()
        .expect("a run");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success() && printed.contains("1 passed"),
        "{printed}"
    );
}

/// A proxy address at which nobody listens.
const NOBODY: &str = "http://127.0.0.1:1";
