//! Pictures of people, fetched with bb's own credentials and carried in the result.
//!
//! Never holds up an answer for long, nor any other request once the answer has left; never trusts what a picture says
//! it is: its first bytes tell. Start reading at [`Pictures::of`].

use crate::bitbucket::Bitbucket;
use crate::bitbucket::address::Path;
use crate::bitbucket::avatars::MAX_AVATAR_BYTES;
use crate::bitbucket::error::Fault;
use crate::cancel::Cancel;
use crate::show::Reading;
use crate::show::drawing::{Dressing, Face, Gathered, Picture};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// People whose pictures one result carries (contract 4.3).
pub const MAX_PEOPLE: usize = 12;
/// What all pictures of one result weigh together.
pub const MAX_ALL_BYTES: usize = 32 * 1024;
/// How long a result waits for pictures.
pub const PATIENCE: Duration = Duration::from_millis(300);
/// How long a picture is kept.
const KEPT_FOR: Duration = Duration::from_secs(60 * 60);
/// How long one that did not come in time is not asked for again.
const LEFT_FOR: Duration = Duration::from_secs(60);
/// How many are kept.
const MAX_KEPT: usize = 64;
/// The widest and tallest picture that is handed on: a few bytes can claim to be many screens of pixels.
const MAX_SIDE_PX: u32 = 1024;

/// The pictures that are kept. Clones are the same.
#[derive(Clone, Default)]
pub struct Pictures(Arc<Shelf>);

#[derive(Default)]
struct Shelf {
    held: Mutex<Held>,
    /// Told whenever a request ends.
    ended: Condvar,
}

#[derive(Default)]
struct Held {
    kept: Vec<Kept>,
    /// The paths that are being asked for.
    asked: BTreeSet<String>,
}

struct Kept {
    path: String,
    until: Instant,
    /// Absent where there is none that a page could draw, and where none came in time.
    picture: Option<Image>,
}

#[derive(Clone)]
struct Image {
    media_type: &'static str,
    bytes: Arc<Vec<u8>>,
}

/// A drawing's dressing of pictures alone.
pub fn dress(reading: &Reading, gathered: &Gathered, room: usize) -> Dressing {
    let pictures = &reading.memory.pictures;
    Dressing {
        avatars: pictures.of(reading.bitbucket, &gathered.faces, room, reading.cancel),
        ..Dressing::default()
    }
}

impl Pictures {
    /// The pictures of the first [`MAX_PEOPLE`] `faces` that are there within [`PATIENCE`], in at most `room`
    /// characters. Each is asked for on a thread of its own (`bb-avatar`), once at a time whoever wants it, and
    /// dropped when the time is over: a result that has left holds no request's place.
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
        let paths: Vec<String> = wanted.iter().map(|(_, path)| path.to_string()).collect();
        let over = Cancel::new();
        let with_the_call = over.clone();
        let _registration = cancel.on_cancel(move || with_the_call.cancel());
        for ((_, path), text) in wanted.iter().zip(&paths) {
            if self.is_due(text) {
                self.ask(bitbucket, path.clone(), text.clone(), (&over, cancel));
            }
        }
        self.wait(&paths, deadline, cancel);
        over.cancel();
        let held = self.held();
        let now = Instant::now();
        let found = wanted.iter().zip(&paths).filter_map(|((face, _), path)| {
            let picture = held.kept(path, now)??;
            Some((&face.key, picture))
        });
        carried(found, room)
    }

    /// Whether one has to be asked for: then it counts as asked for.
    fn is_due(&self, path: &str) -> bool {
        let mut held = self.held();
        held.kept(path, Instant::now()).is_none() && held.asked.insert(path.to_owned())
    }

    fn ask(
        &self,
        bitbucket: &Bitbucket,
        path: Path,
        text: String,
        (over, cancel): (&Cancel, &Cancel),
    ) {
        let (pictures, bitbucket) = (self.clone(), bitbucket.clone());
        let (over, cancel) = (over.clone(), cancel.clone());
        let asked = Asked(self.clone(), text.clone());
        let fetch = move || {
            // Dropped last, once what came is kept.
            let _asked = asked;
            let (picture, time) = fetched(&bitbucket, &path, &over);
            // Of a call that was given up nothing is learned.
            if !cancel.is_cancelled() {
                let until = Instant::now() + time;
                pictures.held().keep(text, picture, until);
            }
        };
        // Without a thread to spare there is no picture, and what was asked for is not any more.
        let _ = Builder::new().name("bb-avatar".to_owned()).spawn(fetch);
    }

    /// Until none of these is being asked for.
    fn wait(&self, paths: &[String], deadline: Instant, cancel: &Cancel) {
        let mut held = self.held();
        while paths.iter().any(|path| held.asked.contains(path)) && !cancel.is_cancelled() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            held = match self.0.ended.wait_timeout(held, left) {
                Ok((held, _)) => held,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        // Each change is one step, so a thread that died holding it has spoiled nothing.
        self.0.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A path that is being asked for, until this is dropped.
struct Asked(Pictures, String);

impl Drop for Asked {
    fn drop(&mut self) {
        self.0.held().asked.remove(&self.1);
        self.0.0.ended.notify_all();
    }
}

/// What came, and how long that is true.
fn fetched(bitbucket: &Bitbucket, path: &Path, over: &Cancel) -> (Option<Image>, Duration) {
    match bitbucket.avatar(path, over) {
        Ok(bytes) => {
            let picture = media_type(&bytes).map(|media_type| Image {
                media_type,
                bytes: Arc::new(bytes),
            });
            (picture, KEPT_FOR)
        }
        Err(error) => match error.fault() {
            Fault::NotFound | Fault::TooLarge | Fault::NotBitbucket | Fault::NotAllowed => {
                (None, KEPT_FOR)
            }
            // That none came may be otherwise the next time.
            _ => (None, LEFT_FOR),
        },
    }
}

impl Held {
    fn kept(&self, path: &str, now: Instant) -> Option<Option<Image>> {
        let one = self.kept.iter().find(|kept| kept.path == path)?;
        (now < one.until).then(|| one.picture.clone())
    }

    fn keep(&mut self, path: String, picture: Option<Image>, until: Instant) {
        self.kept.retain(|one| one.path != path);
        if self.kept.len() >= MAX_KEPT {
            // They stand in the order in which they came.
            self.kept.remove(0);
        }
        self.kept.push(Kept {
            path,
            until,
            picture,
        });
    }
}

/// What of the pictures fits, the first first.
fn carried<'a>(
    found: impl Iterator<Item = (&'a String, Image)>,
    room: usize,
) -> BTreeMap<String, Picture> {
    let (mut bytes_left, mut chars_left) = (MAX_ALL_BYTES, room);
    let mut carried = BTreeMap::new();
    for (key, image) in found {
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
