use super::{Hold, Line, Wire};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use ureq::Error;
use ureq::unversioned::transport::{Buffers, LazyBuffers, NextTimeout, ShutdownHandle, Transport};

#[derive(Default)]
struct Socket(AtomicBool);

impl ShutdownHandle for Socket {
    fn shutdown(&self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

#[derive(Debug)]
struct Inner(LazyBuffers);

impl Transport for Inner {
    fn buffers(&mut self) -> &mut dyn Buffers {
        &mut self.0
    }

    fn transmit_output(&mut self, _: usize, _: NextTimeout) -> Result<(), Error> {
        Ok(())
    }

    fn await_input(&mut self, _: NextTimeout) -> Result<bool, Error> {
        Ok(false)
    }

    fn is_open(&mut self) -> bool {
        true
    }
}

fn wire() -> (Wire, Arc<Socket>) {
    let (line, socket) = (Arc::new(Line::default()), Arc::new(Socket::default()));
    line.add(Arc::downgrade(&socket) as Weak<dyn ShutdownHandle>);
    let inner = Box::new(Inner(LazyBuffers::new(1024, 1024)));
    (Wire { inner, line }, socket)
}

#[test]
fn a_send_ties_the_connection_to_the_request_in_hand() {
    let ((mut wire, socket), hold) = (wire(), Hold::new());
    let _in_hand = hold.take_in_hand();
    wire.transmit_output(0, NextTimeout::default())
        .expect("sent");
    assert!(hold.is_sent());
    hold.end();
    assert!(socket.0.load(Ordering::SeqCst));
    assert!(
        wire.transmit_output(0, NextTimeout::default()).is_err(),
        "a cancelled call sends nothing more"
    );
}

#[test]
fn a_connection_that_is_asked_whether_it_is_open_is_nobodys() {
    let ((mut wire, socket), hold) = (wire(), Hold::new());
    let _in_hand = hold.take_in_hand();
    wire.transmit_output(0, NextTimeout::default())
        .expect("sent");
    // So does ureq before it puts a connection back, and before it hands one out.
    assert!(wire.is_open());
    hold.end();
    assert!(!socket.0.load(Ordering::SeqCst));
}
