//! Pictures of people, fetched with bb's own credentials and carried in the result.
//!
//! Never holds up an answer for long, and never trusts what a picture says it is: its first bytes tell. Start
//! reading at [`Pictures::of`].

use crate::bitbucket::Bitbucket;
use crate::bitbucket::address::Path;
use crate::bitbucket::avatars::MAX_AVATAR_BYTES;
use crate::bitbucket::error::Fault;
use crate::cancel::Cancel;
use crate::show::drawing::{Face, Picture};
use std::collections::BTreeMap;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// People whose pictures one result carries (contract 4.3).
pub const MAX_PEOPLE: usize = 12;
/// What all pictures of one result weigh together.
pub const MAX_ALL_BYTES: usize = 32 * 1024;
/// How long a result waits for pictures; those that come later are there for the next one.
pub const PATIENCE: Duration = Duration::from_millis(300);
/// How long a picture is kept.
const KEPT_FOR: Duration = Duration::from_secs(60 * 60);
/// How many are kept.
const MAX_KEPT: usize = 64;
/// The widest and tallest picture that is handed on: a few bytes can claim to be many screens of pixels.
const MAX_SIDE_PX: u32 = 1024;

/// The pictures that are kept. Clones are the same.
#[derive(Clone, Default)]
pub struct Pictures(Arc<Mutex<Vec<Kept>>>);

struct Kept {
    path: String,
    since: Instant,
    /// Absent where there is none that a page could draw.
    picture: Option<Image>,
}

#[derive(Clone)]
struct Image {
    media_type: &'static str,
    bytes: Arc<Vec<u8>>,
}

impl Pictures {
    /// The pictures of the first [`MAX_PEOPLE`] `faces` that are there within [`PATIENCE`], in at most `room`
    /// characters. Each is asked for on a thread of its own (`bb-avatar`), which ends with its request.
    pub fn of(
        &self,
        bitbucket: &Bitbucket,
        faces: &[Face],
        room: usize,
        cancel: &Cancel,
    ) -> BTreeMap<String, Picture> {
        let deadline = Instant::now() + PATIENCE;
        let wanted: Vec<(&Face, Path)> = faces
            .iter()
            .take(MAX_PEOPLE)
            .filter_map(|face| Some((face, bitbucket.avatar_path(&face.person)?)))
            .collect();
        let mut found: BTreeMap<String, Option<Image>> = BTreeMap::new();
        let (sender, receiver) = channel();
        let mut due = 0;
        for (face, path) in &wanted {
            if let Some(picture) = self.kept(&path.to_string(), Instant::now()) {
                found.insert(face.key.clone(), picture);
                continue;
            }
            let (pictures, bitbucket, cancel) = (self.clone(), bitbucket.clone(), cancel.clone());
            let (sender, key, path) = (sender.clone(), face.key.clone(), path.clone());
            let fetch = move || {
                // Nobody receives any more once the answer has left.
                let _ = sender.send((key, pictures.fetch(&bitbucket, &path, &cancel)));
            };
            let thread = Builder::new().name("bb-avatar".to_owned());
            due += usize::from(thread.spawn(fetch).is_ok());
        }
        while due > 0 {
            let left = deadline.saturating_duration_since(Instant::now());
            let Ok((key, picture)) = receiver.recv_timeout(left) else {
                break;
            };
            found.insert(key, picture);
            due -= 1;
        }
        carried(wanted.iter().map(|(face, _)| &face.key), &found, room)
    }

    /// Fetches one and keeps it. That there is none is kept too; that none came may be otherwise the next time.
    fn fetch(&self, bitbucket: &Bitbucket, path: &Path, cancel: &Cancel) -> Option<Image> {
        let picture = match bitbucket.avatar(path, cancel) {
            Ok(bytes) => media_type(&bytes).map(|media_type| Image {
                media_type,
                bytes: Arc::new(bytes),
            }),
            Err(error) => match error.fault() {
                Fault::NotFound | Fault::TooLarge | Fault::NotBitbucket | Fault::NotAllowed => None,
                _ => return None,
            },
        };
        self.keep(path.to_string(), picture.clone(), Instant::now());
        picture
    }

    fn kept(&self, path: &str, now: Instant) -> Option<Option<Image>> {
        let kept = self.all();
        let one = kept.iter().find(|kept| kept.path == path)?;
        let is_fresh = now.saturating_duration_since(one.since) < KEPT_FOR;
        is_fresh.then(|| one.picture.clone())
    }

    fn keep(&self, path: String, picture: Option<Image>, since: Instant) {
        let mut kept = self.all();
        kept.retain(|one| one.path != path);
        if kept.len() >= MAX_KEPT {
            // They stand in the order in which they came.
            kept.remove(0);
        }
        kept.push(Kept {
            path,
            since,
            picture,
        });
    }

    fn all(&self) -> MutexGuard<'_, Vec<Kept>> {
        // Each change is one step, so a thread that died holding it has spoiled nothing.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What of the pictures fits, the first first.
fn carried<'a>(
    keys: impl Iterator<Item = &'a String>,
    found: &BTreeMap<String, Option<Image>>,
    room: usize,
) -> BTreeMap<String, Picture> {
    let (mut bytes_left, mut chars_left) = (MAX_ALL_BYTES, room);
    let mut carried = BTreeMap::new();
    for key in keys {
        let Some(Some(image)) = found.get(key) else {
            continue;
        };
        let base64 = base64(&image.bytes);
        // The key, the members' names and the signs between them.
        let chars = base64.len() + 6 * key.chars().count() + 60;
        if image.bytes.len() > bytes_left || chars > chars_left {
            continue;
        }
        bytes_left -= image.bytes.len();
        chars_left -= chars;
        let picture = Picture {
            media_type: image.media_type,
            base64,
        };
        carried.insert(key.clone(), picture);
    }
    carried
}

/// The type of a picture that a page may draw, by its first bytes; `None` for any other, one of SVG above all, and
/// for one that claims to be larger than any portrait.
fn media_type(bytes: &[u8]) -> Option<&'static str> {
    let big = |at: usize| {
        let four = bytes.get(at..at + 4)?;
        Some(u32::from_be_bytes(four.try_into().ok()?))
    };
    let little = |at: usize| {
        let two = bytes.get(at..at + 2)?;
        Some(u32::from(u16::from_le_bytes(two.try_into().ok()?)))
    };
    let (found, width, height) = if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        ("image/png", big(16)?, big(20)?)
    } else if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
        ("image/gif", little(6)?, little(8)?)
    } else if bytes.starts_with(b"\xff\xd8\xff") {
        let (width, height) = jpeg_size(bytes)?;
        ("image/jpeg", width, height)
    } else {
        return None;
    };
    let sides = 1..=MAX_SIDE_PX;
    let is_small = sides.contains(&width) && sides.contains(&height);
    (is_small && bytes.len() <= MAX_AVATAR_BYTES).then_some(found)
}

/// The sides of a JPEG, from its frame header: the first segment of a type from C0 to CF but C4, C8 and CC.
fn jpeg_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let two = |at: usize| {
        let two = bytes.get(at..at + 2)?;
        Some(u16::from_be_bytes(two.try_into().ok()?))
    };
    let mut at = 2;
    loop {
        // Any number of fill bytes may stand before a marker.
        while *bytes.get(at + 1)? == 0xff {
            at += 1;
        }
        let kind = *bytes.get(at + 1)?;
        if bytes.get(at) != Some(&0xff) {
            return None;
        }
        if matches!(kind, 0xc0..=0xcf) && !matches!(kind, 0xc4 | 0xc8 | 0xcc) {
            return Some((u32::from(two(at + 7)?), u32::from(two(at + 5)?)));
        }
        at += 2 + usize::from(two(at + 2)?.max(2));
    }
}

/// Bytes as text: RFC 4648, section 4, with padding.
fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            text.push(match at <= chunk.len() {
                true => char::from(SIGNS[(bits >> (18 - 6 * at) & 63) as usize]),
                false => '=',
            });
        }
    }
    text
}

#[cfg(test)]
mod tests;
