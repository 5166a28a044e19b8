//! TLS over whatever connection there is: to Bitbucket, or to a proxy that speaks it.
//!
//! ureq's own connector builds its configuration from certificates alone and panics on a client key
//! that does not fit. This one takes the configuration of `tls.rs`, which tells why a chain was
//! refused and whether a client certificate was asked for. Never is a connection used before its
//! handshake is over. Start reading at [`TlsLine`].

use super::hold::Hold;
use crate::bitbucket::tls::{Handshake, Identity, certificate_names, noticing_client_wanted};
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, ProtocolVersion, StreamOwned};
use std::fmt;
use std::io::{Read, Write};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use ureq::Error;
use ureq::unversioned::transport::time::{Duration, Instant};
use ureq::unversioned::transport::{
    Buffers, ConnectionDetails, Connector, LazyBuffers, NextTimeout, Transport, TransportAdapter,
};

/// Wraps connections in TLS where the address wants it.
pub(super) struct TlsLine {
    identity: Identity,
    /// Made when first needed: reading the machine's trust store would slow every start.
    config: OnceLock<Arc<ClientConfig>>,
    latest: Arc<Mutex<Option<Handshake>>>,
}

impl TlsLine {
    pub(super) fn new(identity: Identity, latest: Arc<Mutex<Option<Handshake>>>) -> Self {
        Self {
            identity,
            config: OnceLock::new(),
            latest,
        }
    }

    fn config(&self) -> Result<Arc<ClientConfig>, Error> {
        if let Some(config) = self.config.get() {
            return Ok(Arc::clone(config));
        }
        let config = self
            .identity
            .config()
            .map_err(|e| Error::Other(Box::new(e)))?;
        // Two that come at once read the store twice, and the first one's is kept.
        Ok(Arc::clone(self.config.get_or_init(|| Arc::new(config))))
    }

    fn wrap(
        &self,
        details: &ConnectionDetails,
        inner: Box<dyn Transport>,
    ) -> Result<Box<dyn Transport>, Error> {
        let host = details.uri.host().unwrap_or_default();
        let port = details.uri.port_u16().unwrap_or(443);
        let hold = Hold::in_hand();
        if let Some(hold) = &hold {
            hold.note_tls_with(format!("{host}:{port}"));
        }
        let bare = host
            .trim_start_matches('[')
            .trim_end_matches(']')
            .to_owned();
        let name = ServerName::try_from(bare)
            .map_err(|_| Error::Tls("a host that no certificate can be for"))?;
        let mut connection = ClientConnection::new(self.config()?, name)?;
        let mut socket = TransportAdapter::new(inner, Arc::clone(&details.current_time));
        socket.set_timeout(left_of(details));
        let (done, client_wanted) = noticing_client_wanted(|| connection.complete_io(&mut socket));
        if client_wanted && let Some(hold) = &hold {
            hold.note_client_wanted();
        }
        done?;
        let handshake = Handshake {
            with: format!("{host}:{port}"),
            version: match connection.protocol_version() {
                Some(ProtocolVersion::TLSv1_3) => "TLS 1.3".to_owned(),
                Some(ProtocolVersion::TLSv1_2) => "TLS 1.2".to_owned(),
                other => format!("{other:?}"),
            },
            chain: connection
                .peer_certificates()
                .unwrap_or_default()
                .iter()
                .map(|c| certificate_names(c))
                .collect(),
            client_wanted,
        };
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(handshake);
        let buffers = LazyBuffers::new(
            details.config.input_buffer_size(),
            details.config.output_buffer_size(),
        );
        Ok(Box::new(Secured {
            buffers,
            stream: StreamOwned::new(connection, socket),
        }))
    }
}

/// What is left of the time for connecting, whose earlier steps have used some.
fn left_of(details: &ConnectionDetails) -> NextTimeout {
    let mut timeout = details.timeout;
    if let (Duration::Exact(limit), Instant::Exact(from), Instant::Exact(now)) =
        (timeout.after, details.now, (details.current_time)())
    {
        timeout.after = Duration::Exact(limit.saturating_sub(now.saturating_duration_since(from)));
    }
    timeout
}

impl<In: Transport> Connector<In> for TlsLine {
    type Out = Box<dyn Transport>;

    fn connect(
        &self,
        details: &ConnectionDetails,
        chained: Option<In>,
    ) -> Result<Option<Self::Out>, Error> {
        let Some(inner) = chained else {
            return Ok(None);
        };
        let inner: Box<dyn Transport> = Box::new(inner);
        if details.needs_tls() && !inner.is_tls() {
            return self.wrap(details, inner).map(Some);
        }
        Ok(Some(inner))
    }
}

impl fmt::Debug for TlsLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TlsLine").finish_non_exhaustive()
    }
}

/// A connection inside TLS.
struct Secured {
    buffers: LazyBuffers,
    stream: StreamOwned<ClientConnection, TransportAdapter<Box<dyn Transport>>>,
}

impl Transport for Secured {
    fn buffers(&mut self) -> &mut dyn Buffers {
        &mut self.buffers
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), Error> {
        self.stream.sock.set_timeout(timeout);
        self.stream.write_all(&self.buffers.output()[..amount])?;
        Ok(())
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, Error> {
        self.stream.sock.set_timeout(timeout);
        let amount = self.stream.read(self.buffers.input_append_buf())?;
        self.buffers.input_appended(amount);
        Ok(amount > 0)
    }

    fn is_open(&mut self) -> bool {
        self.stream.sock.get_mut().is_open()
    }

    fn is_tls(&self) -> bool {
        true
    }
}

impl fmt::Debug for Secured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Secured")
            .field(&self.stream.sock.get_ref())
            .finish()
    }
}
