use super::{Image, KEPT_FOR, MAX_ALL_BYTES, MAX_KEPT, Pictures, base64, carried, media_type};
use std::collections::BTreeMap;
use std::sync::Arc;
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
    let found = BTreeMap::from([
        ("a".to_owned(), Some(image(15_000))),
        ("b".to_owned(), Some(image(MAX_ALL_BYTES - 15_000 + 1))),
        ("c".to_owned(), Some(image(MAX_ALL_BYTES - 15_000))),
    ]);
    let names = |room| -> Vec<String> { carried(keys.iter(), &found, room).into_keys().collect() };
    assert_eq!(names(1_000_000), ["a", "c"]);
    assert_eq!(names(20_100), ["a"]);
    assert!(names(1_000).is_empty());
}

#[test]
fn a_picture_is_kept_for_an_hour_and_the_oldest_makes_room() {
    let (pictures, now) = (Pictures::default(), Instant::now());
    pictures.keep("0".to_owned(), None, now);
    assert!(pictures.kept("0", now).is_some_and(|kept| kept.is_none()));
    assert!(pictures.kept("0", now + KEPT_FOR).is_none());
    assert!(
        pictures
            .kept("0", now + KEPT_FOR - Duration::from_secs(1))
            .is_some()
    );
    for path in 1..=MAX_KEPT {
        pictures.keep(path.to_string(), Some(image(1)), now);
    }
    assert!(pictures.kept("0", now).is_none());
    assert!(pictures.kept("1", now).is_some());
    assert_eq!(pictures.all().len(), MAX_KEPT);
}
