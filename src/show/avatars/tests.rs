use super::{
    Held, Image, MAX_ALL_BYTES, MAX_KEPT, PATIENCE, Pictures, base64, carried, media_type,
};
use crate::bitbucket::Bitbucket;
use crate::bitbucket::address::BaseUrl;
use crate::bitbucket::connection::Connection;
use crate::bitbucket::http::{Http, RequestLog};
use crate::cancel::Cancel;
use crate::domain::person::Person;
use crate::show::drawing::Face;
use std::io::{ErrorKind, Read};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// The start of a PNG that claims these sides.
fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes
}

/// The start of a JPEG with a segment before its frame header.
fn jpeg(width: u16, height: u16) -> Vec<u8> {
    let mut bytes = b"\xff\xd8\xff\xe0\0\x04JF\xff\xff\xc2\0\x11\x08".to_vec();
    bytes.extend(height.to_be_bytes());
    bytes.extend(width.to_be_bytes());
    bytes
}

fn image(size: usize) -> Image {
    Image {
        media_type: "image/png",
        bytes: Arc::new(vec![0; size]),
    }
}

#[test]
fn bytes_become_the_text_of_the_standards_own_examples() {
    for (bytes, text) in [
        ("", ""),
        ("f", "Zg=="),
        ("fo", "Zm8="),
        ("foo", "Zm9v"),
        ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ] {
        assert_eq!(base64(bytes.as_bytes()), text);
    }
    assert_eq!(base64(&[0xfb, 0xff, 0xbf]), "+/+/");
}

#[test]
fn a_picture_is_what_its_first_bytes_say() {
    for (bytes, found) in [
        (png(64, 64), Some("image/png")),
        (png(1024, 1024), Some("image/png")),
        (png(1025, 1), None),
        (png(60_000, 60_000), None),
        (png(0, 64), None),
        (b"GIF89a\x40\0\x40\0".to_vec(), Some("image/gif")),
        (b"GIF87a\xff\xff\x40\0".to_vec(), None),
        (jpeg(64, 48), Some("image/jpeg")),
        (jpeg(64, 4800), None),
        (b"\xff\xd8\xff\xd9".to_vec(), None),
        (b"\xff\xd8\xff\xff\xff".to_vec(), None),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(), None),
        (b"RIFF\0\0\0\0WEBP".to_vec(), None),
        (b"\x89PNG\r\n\x1a\n".to_vec(), None),
        (Vec::new(), None),
    ] {
        assert_eq!(media_type(&bytes), found, "{bytes:?}");
    }
    let mut heavy = png(64, 64);
    heavy.resize(16 * 1024 + 1, 0);
    assert_eq!(media_type(&heavy), None, "over 16 KiB");
}

#[test]
fn pictures_are_carried_as_far_as_their_bound_and_the_room_go() {
    let keys: Vec<String> = ["a", "b", "c"].map(str::to_owned).to_vec();
    let sizes = [15_000, MAX_ALL_BYTES - 15_000 + 1, MAX_ALL_BYTES - 15_000];
    let names = |room| -> Vec<String> {
        let found = keys.iter().zip(sizes.map(image));
        carried(found, room).into_keys().collect()
    };
    assert_eq!(names(1_000_000), ["a", "c"]);
    assert_eq!(names(20_100), ["a"]);
    assert!(names(1_000).is_empty());
}

#[test]
fn a_picture_is_kept_until_its_time_is_over_and_the_oldest_makes_room() {
    let (mut held, now) = (Held::default(), Instant::now());
    let hour = Duration::from_secs(60 * 60);
    held.keep("0".to_owned(), None, now + hour);
    assert!(held.kept("0", now).is_some_and(|kept| kept.is_none()));
    assert!(held.kept("0", now + hour).is_none());
    assert!(
        held.kept("0", now + hour - Duration::from_secs(1))
            .is_some()
    );
    for path in 1..=MAX_KEPT {
        held.keep(path.to_string(), Some(image(1)), now + hour);
    }
    assert!(held.kept("0", now).is_none());
    assert!(held.kept("1", now).is_some());
    assert_eq!(held.kept.len(), MAX_KEPT);
}

#[test]
fn a_picture_that_hangs_is_dropped_as_the_answer_leaves_recorded_and_not_asked_for_again() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("its address"));
    let base = BaseUrl::parse(&address).expect("an address");
    let connection = Connection {
        base,
        credentials: None,
        ca_file: None,
        client: None,
        proxy: None,
        request_timeout: Duration::from_secs(20),
    };
    let log = RequestLog::new();
    let http = Http::new(&connection).expect("ready");
    let bitbucket = Bitbucket::new(http.recording(log.clone()));
    let faces: Vec<Face> = (0..12)
        .map(|nth| Face {
            key: nth.to_string(),
            person: Person {
                name: nth.to_string(),
                display_name: String::new(),
                slug: Some(nth.to_string()),
                avatar_url: None,
            },
        })
        .collect();
    // Whoever comes is heard and never answered; the thread ends with the test's process.
    let (came, streams) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let _ = came.send(stream);
        }
    });
    let pictures = Pictures::default();
    let began = Instant::now();
    let found = pictures.of(&bitbucket, &faces, 1_000_000, &Cancel::new());
    assert!(found.is_empty());
    assert!(began.elapsed() >= PATIENCE);
    let sent = log.sent();
    assert!(!sent.is_empty(), "recorded as the answer leaves");
    assert!(sent.iter().all(|one| one.status.is_none()));
    // Those that ended are remembered, those that are about to end are still being asked for.
    pictures.of(&bitbucket, &faces, 1_000_000, &Cancel::new());
    assert!(log.sent().len() <= 12, "{:?}", log.sent());
    // Each connection is ended, long before a request's own time is over.
    let until = Instant::now() + Duration::from_secs(10);
    for mut stream in streams.try_iter() {
        let left = until.saturating_duration_since(Instant::now());
        let limit = left.max(Duration::from_millis(1));
        stream.set_read_timeout(Some(limit)).expect("set");
        // A reset ends it as well.
        let is_open = stream.read_to_end(&mut Vec::new()).is_err_and(|error| {
            matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
        });
        assert!(!is_open, "a request outlived its answer");
    }
}
