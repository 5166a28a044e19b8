//! A server of a few lines that answers as it is told and remembers what it was asked.

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{
    RootCertStore, ServerConfig, ServerConnection, StreamOwned, SupportedProtocolVersion,
};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

/// What to do with a request.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// These bytes, and then the next request on the same connection.
    Send(Vec<u8>),
    /// These bytes, and then the end of the connection.
    SendAndClose(Vec<u8>),
    /// Nothing but the end of the connection.
    Close,
    /// These bytes and then nothing, until the other side is gone.
    Stall(Vec<u8>),
}

/// One request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// Method and target, as in `GET /bitbucket/rest?x=1`.
    pub(crate) line: String,
    /// The headers, names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Asked {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }
}

/// JSON with a status.
pub(crate) fn json(status: u16, body: &str) -> Reply {
    answer(
        status,
        "Content-Type: application/json;charset=UTF-8\r\n",
        body,
    )
}

/// A body with a status and further header lines, each ended by a line end.
pub(crate) fn answer(status: u16, headers: &str, body: &str) -> Reply {
    Reply::Send(bytes(status, headers, body))
}

pub(crate) fn bytes(status: u16, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {status} Words\r\n{headers}Content-Length: {length}\r\n\r\n{body}")
        .into_bytes()
}

type Script = dyn Fn(&Asked, usize) -> Reply + Send + Sync;

/// The server; it ends with this value.
pub(crate) struct Server {
    local: SocketAddr,
    state: Arc<State>,
    scheme: &'static str,
    accepting: Option<thread::JoinHandle<()>>,
}

struct State {
    script: Box<Script>,
    tls: Option<Arc<ServerConfig>>,
    asked: Mutex<Vec<Asked>>,
    connections: AtomicUsize,
    is_over: AtomicBool,
}

impl Server {
    /// Answers each request by `script`, which also learns how many came before.
    pub(crate) fn start(script: impl Fn(&Asked, usize) -> Reply + Send + Sync + 'static) -> Self {
        Self::with(None, Box::new(script))
    }

    /// The same inside TLS.
    pub(crate) fn start_tls(
        tls: ServerConfig,
        script: impl Fn(&Asked, usize) -> Reply + Send + Sync + 'static,
    ) -> Self {
        Self::with(Some(Arc::new(tls)), Box::new(script))
    }

    fn with(tls: Option<Arc<ServerConfig>>, script: Box<Script>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let local = listener.local_addr().expect("an address");
        let scheme = if tls.is_some() { "https" } else { "http" };
        let state = Arc::new(State {
            script,
            tls,
            asked: Mutex::default(),
            connections: AtomicUsize::new(0),
            is_over: AtomicBool::new(false),
        });
        let theirs = Arc::clone(&state);
        let accepting = thread::spawn(move || {
            for stream in listener.incoming() {
                if theirs.is_over.load(Ordering::SeqCst) {
                    return;
                }
                let (Ok(stream), state) = (stream, Arc::clone(&theirs)) else {
                    return;
                };
                state.connections.fetch_add(1, Ordering::SeqCst);
                thread::spawn(move || state.serve(stream));
            }
        });
        Self {
            local,
            state,
            scheme,
            accepting: Some(accepting),
        }
    }

    /// The base address, with a context path.
    pub(crate) fn address(&self) -> String {
        format!("{}://localhost:{}/bitbucket", self.scheme, self.port())
    }

    pub(crate) fn port(&self) -> u16 {
        self.local.port()
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.state
            .asked
            .lock()
            .expect("no test thread died here")
            .clone()
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        self.asked().into_iter().map(|asked| asked.line).collect()
    }

    /// How many connections were made so far.
    pub(crate) fn connections(&self) -> usize {
        self.state.connections.load(Ordering::SeqCst)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.state.is_over.store(true, Ordering::SeqCst);
        // The last connection, so that the accepting thread wakes and sees that it is over.
        let _ = TcpStream::connect(self.local);
        // The port is free once the thread is over, so that a test can count on nobody being there.
        if let Some(accepting) = self.accepting.take() {
            let _ = accepting.join();
        }
    }
}

impl State {
    fn serve(&self, stream: TcpStream) {
        let end = stream.try_clone().expect("a second handle");
        // A request's answer is small pieces; waiting to join them would be counted as ours.
        let _ = stream.set_nodelay(true);
        match &self.tls {
            None => self.talk(stream),
            Some(tls) => {
                if let Ok(connection) = ServerConnection::new(Arc::clone(tls)) {
                    self.talk(StreamOwned::new(connection, stream));
                }
            }
        }
        let _ = end.shutdown(Shutdown::Both);
    }

    fn talk(&self, stream: impl Read + Write) {
        let mut stream = BufReader::new(stream);
        while let Some(asked) = read_request(&mut stream) {
            let before = {
                let mut all = self.asked.lock().expect("no test thread died here");
                all.push(asked.clone());
                all.len() - 1
            };
            let mut send = |bytes: &[u8]| {
                let stream = stream.get_mut();
                stream
                    .write_all(bytes)
                    .and_then(|()| stream.flush())
                    .is_ok()
            };
            match (self.script)(&asked, before) {
                Reply::Send(bytes) => {
                    if !send(&bytes) {
                        return;
                    }
                }
                Reply::SendAndClose(bytes) => {
                    send(&bytes);
                    return;
                }
                Reply::Close => return,
                Reply::Stall(bytes) => {
                    send(&bytes);
                    let _ = stream.read_to_end(&mut Vec::new());
                    return;
                }
            }
        }
    }
}

pub(crate) fn read_request(stream: &mut impl BufRead) -> Option<Asked> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end().to_owned();
        if line.is_empty() {
            break;
        }
        lines.push(line);
    }
    let mut lines = lines.into_iter();
    let line = lines.next()?;
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| {
            line.split_once(':')
                .map(|(n, v)| (n.to_lowercase(), v.trim().to_owned()))
        })
        .collect();
    let mut asked = Asked {
        line: line.trim_end_matches(" HTTP/1.1").to_owned(),
        headers,
        body: String::new(),
    };
    let length = asked
        .header("content-length")
        .and_then(|length| length.parse().ok())
        .unwrap_or(0);
    let mut body = vec![0; length];
    stream.read_exact(&mut body).ok()?;
    asked.body = String::from_utf8(body).ok()?;
    Some(asked)
}

/// Whether a server wants to see a client certificate.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Client {
    Ignored,
    /// One that this CA signed: the name of a fixture.
    Demanded(&'static str),
}

/// A TLS configuration with one of the fixtures' certificates.
pub(crate) fn tls(
    name: &str,
    client: Client,
    versions: &[&'static SupportedProtocolVersion],
) -> ServerConfig {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_protocol_versions(versions)
        .expect("versions");
    let builder = match client {
        Client::Ignored => builder.with_no_client_auth(),
        Client::Demanded(ca) => {
            let mut roots = RootCertStore::empty();
            roots.add(chain(ca).remove(0)).expect("a CA");
            let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
            builder.with_client_cert_verifier(verifier.build().expect("a verifier"))
        }
    };
    let key =
        PrivateKeyDer::from_pem_file(super::certificate(&format!("{name}.key"))).expect("a key");
    builder.with_single_cert(chain(name), key).expect("a pair")
}

fn chain(name: &str) -> Vec<CertificateDer<'static>> {
    let file = super::certificate(&format!("{name}.pem"));
    CertificateDer::pem_file_iter(file)
        .expect("a file")
        .map(|c| c.expect("a certificate"))
        .collect()
}
