use super::{Line, Lines, MAX_LINE_BYTES, Writer};
use std::io::{self, BufReader, Cursor, Write};
use std::sync::mpsc::channel;

/// Reads everything through a buffer as small as a pipe may deliver.
fn read_all(input: &[u8], buffer: usize) -> Vec<Result<Vec<u8>, ()>> {
    let mut lines = Lines::new(BufReader::with_capacity(
        buffer,
        Cursor::new(input.to_vec()),
    ));
    let mut read = Vec::new();
    while let Some(line) = lines.read().expect("memory can be read") {
        read.push(match line {
            Line::Text(text) => Ok(text.to_vec()),
            Line::TooLong => Err(()),
        });
    }
    read
}

#[test]
fn blank_lines_are_skipped_and_a_last_line_needs_no_end() {
    for buffer in [1, 2, 3, 8192] {
        let read = read_all(b"\xEF\xBB\xBF{1}\r\n\r\n  \n{2}\n\n{3}", buffer);
        assert_eq!(
            read,
            [
                Ok(b"{1}".to_vec()),
                Ok(b"{2}".to_vec()),
                Ok(b"{3}".to_vec())
            ]
        );
    }
    assert!(read_all(b"", 16).is_empty());
    assert!(read_all(b"\n\r\n \n", 16).is_empty());
}

#[test]
fn a_line_at_the_bound_is_read_and_one_over_it_is_skipped_to_its_end() {
    let at_bound = vec![b'x'; MAX_LINE_BYTES];
    let mut input = at_bound.clone();
    input.extend_from_slice(b"\r\n");
    input.extend_from_slice(&vec![b'y'; MAX_LINE_BYTES + 1]);
    input.extend_from_slice(b"\nz\n");
    input.extend_from_slice(&vec![b'w'; MAX_LINE_BYTES + 7]);
    assert_eq!(
        read_all(&input, 8192),
        [Ok(at_bound), Err(()), Ok(b"z".to_vec()), Err(())]
    );
}

#[test]
fn what_is_over_the_bound_is_not_held() {
    let input = io::repeat(b'x').take_bytes(64 * 1024 * 1024);
    let mut lines = Lines::new(BufReader::new(input));
    assert_eq!(
        lines.read().expect("memory can be read"),
        Some(Line::TooLong)
    );
    assert!(lines.line.capacity() < 4096);
}

trait TakeBytes: io::Read + Sized {
    fn take_bytes(self, bytes: u64) -> io::Take<Self> {
        self.take(bytes)
    }
}

impl<R: io::Read> TakeBytes for R {}

/// A reader that closed early.
struct Closed;

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_reader_that_closed_is_told_once_and_nobody_waits_for_it() {
    let (closed, is_closed) = channel();
    let (writer, thread) =
        Writer::start(Closed, move |_| closed.send(()).expect("the test waits")).expect("a thread");
    for _ in 0..100 {
        writer.send(b"{}".to_vec());
    }
    is_closed.recv().expect("told");
    thread.join().expect("the thread ends");
    assert!(!writer.try_send(b"{}".to_vec()));
}
