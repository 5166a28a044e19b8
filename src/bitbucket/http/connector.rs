//! How a connection is made, and how it is tied to the call that uses it.
//!
//! ureq's own shutdown ends the whole pool. So this wraps its chain of connectors: each connection
//! is registered with a [`Line`] of its own, and each send ties that line to the request in hand on
//! the sending thread. This leans on ureq's transport traits, which are outside its promises; hence
//! ureq is pinned to one version. Never shuts down a connection that a request does not hold. Start
//! reading at [`Reach`].

use super::hold::{Hold, Line};
use super::tls_line::TlsLine;
use std::fmt;
use std::io;
use std::sync::Arc;
use ureq::Error;
use ureq::unversioned::transport::{
    Buffers, ConnectProxyConnector, ConnectionDetails, Connector, NextTimeout, SocksConnector,
    TcpConnector, Transport,
};

/// Makes connections: SOCKS or CONNECT or neither, TCP, TLS, and a [`Line`] around it all.
#[derive(Debug)]
pub(super) struct Reach {
    inner: Box<dyn Connector<(), Out = Box<dyn Transport>>>,
    /// Whether connections go through a CONNECT proxy, whose own connection ureq makes through this
    /// connector too.
    is_tunnelled: bool,
}

impl Reach {
    pub(super) fn new(tls: TlsLine, is_tunnelled: bool) -> Self {
        let chain =
            ().chain(SocksConnector::default())
                .chain(ConnectProxyConnector::default())
                .chain(TcpConnector::default())
                .chain(tls);
        Self {
            inner: Box::new(chain),
            is_tunnelled,
        }
    }
}

impl Connector<()> for Reach {
    type Out = Box<dyn Transport>;

    fn connect(
        &self,
        details: &ConnectionDetails,
        _: Option<()>,
    ) -> Result<Option<Self::Out>, Error> {
        if self.is_tunnelled && details.config.proxy().is_none() {
            // The leg to the proxy: it is registered with the line of the connection that it is
            // for.
            return self.inner.connect(details, None);
        }
        let line = Arc::new(Line::default());
        let for_sockets = Arc::clone(&line);
        let pool = Arc::clone(&details.register_shutdown);
        let tied = ConnectionDetails {
            uri: details.uri,
            addrs: details.addrs.clone(),
            config: details.config,
            request_level: details.request_level,
            resolver: details.resolver,
            now: details.now,
            timeout: details.timeout,
            current_time: Arc::clone(&details.current_time),
            run_connector: Arc::clone(&details.run_connector),
            register_shutdown: Arc::new(move |socket| {
                for_sockets.add(socket.clone());
                pool(socket)?;
                tie(&for_sockets)
            }),
        };
        let inner = self.inner.connect(&tied, None)?;
        Ok(inner.map(|inner| Box::new(Wire { inner, line }) as Box<dyn Transport>))
    }
}

/// Gives `line` to the request in hand on this thread.
fn tie(line: &Arc<Line>) -> Result<(), Error> {
    match Hold::in_hand() {
        Some(hold) if !hold.take(line) => Err(io::Error::from(io::ErrorKind::NotConnected).into()),
        _ => Ok(()),
    }
}

/// A connection that knows its line.
struct Wire {
    inner: Box<dyn Transport>,
    line: Arc<Line>,
}

impl Transport for Wire {
    fn buffers(&mut self) -> &mut dyn Buffers {
        self.inner.buffers()
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), Error> {
        tie(&self.line)?;
        if let Some(hold) = Hold::in_hand() {
            hold.note_sent();
        }
        self.inner.transmit_output(amount, timeout)
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, Error> {
        self.inner.await_input(timeout)
    }

    fn is_open(&mut self) -> bool {
        // Asked between two requests: the last one no longer has this line, and a cancel that came
        // too late for it must not reach the next one's.
        self.line.release();
        self.inner.is_open()
    }

    fn is_tls(&self) -> bool {
        self.inner.is_tls()
    }
}

impl fmt::Debug for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Wire").field(&self.inner).finish()
    }
}

#[cfg(test)]
mod tests;
