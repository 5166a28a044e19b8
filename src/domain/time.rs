//! A moment, as Bitbucket tells it.

use std::fmt;

/// Milliseconds since 1970-01-01T00:00:00 UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time(pub i64);

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

impl Time {
    /// Reads ISO 8601 as Bitbucket writes it: `2026-05-24T14:11:04.000Z`, or with an offset such as `+0000` or
    /// `+02:00`. `None` for anything else.
    pub fn from_iso(text: &str) -> Option<Self> {
        let (date, clock) = text.split_once('T')?;
        let mut parts = date.splitn(3, '-').map(str::parse::<i64>);
        let (year, month, day) = (
            parts.next()?.ok()?,
            parts.next()?.ok()?,
            parts.next()?.ok()?,
        );
        if !(1..=12).contains(&month) || !(1..=31).contains(&day) || !(0..=9999).contains(&year) {
            return None;
        }
        let zone_at = clock.find(['Z', '+', '-'])?;
        let (clock, zone) = clock.split_at(zone_at);
        let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
        let mut parts = clock.splitn(3, ':').map(str::parse::<i64>);
        let (hour, minute) = (parts.next()?.ok()?, parts.next()?.ok()?);
        let second = parts.next().unwrap_or(Ok(0)).ok()?;
        if !(0..24).contains(&hour) || !(0..60).contains(&minute) || !(0..=60).contains(&second) {
            return None;
        }
        let ms: i64 = format!("{fraction:0<3}").get(..3)?.parse().ok()?;
        let minutes = hour * 60 + minute - offset_minutes(zone)?;
        Some(Self(
            days_from(year, month, day) * DAY_MS + (minutes * 60 + second) * 1000 + ms,
        ))
    }
}

/// RFC 3339 in UTC, to the second.
impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (day, ms) = (self.0.div_euclid(DAY_MS), self.0.rem_euclid(DAY_MS));
        let (year, month, day) = date_of(day);
        let second = ms / 1000;
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        write!(
            f,
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"
        )
    }
}

/// `Z`, `+02:00` or `+0200`, in minutes east of UTC.
fn offset_minutes(zone: &str) -> Option<i64> {
    if zone == "Z" {
        return Some(0);
    }
    let sign = if zone.starts_with('-') { -1 } else { 1 };
    let digits: String = zone.get(1..)?.chars().filter(|sign| *sign != ':').collect();
    let hours: i64 = digits.get(..2)?.parse().ok()?;
    let minutes: i64 = digits
        .get(2..)
        .filter(|rest| !rest.is_empty())
        .unwrap_or("0")
        .parse()
        .ok()?;
    (hours < 24 && minutes < 60).then_some(sign * (hours * 60 + minutes))
}

/// Days since 1970-01-01 of a date in the Gregorian calendar. Years are counted from March, so that the leap
/// day is a year's last; an era is 400 such years.
fn days_from(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + day_of_year - 719_468
}

/// The date of a day counted from 1970-01-01: year, month, day.
fn date_of(day: i64) -> (i64, i64, i64) {
    let day = day + 719_468;
    let (era, of_era) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let day_of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::Time;

    #[test]
    fn a_time_prints_as_rfc_3339_in_utc() {
        for (ms, printed) in [
            (0, "1970-01-01T00:00:00Z"),
            (1_757_000_629_662, "2025-09-04T15:43:49Z"),
            (1_709_164_800_000, "2024-02-29T00:00:00Z"),
            (951_868_799_999, "2000-02-29T23:59:59Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (4_102_444_800_000, "2100-01-01T00:00:00Z"),
        ] {
            assert_eq!(Time(ms).to_string(), printed);
        }
    }

    #[test]
    fn iso_text_is_read_in_each_shape_that_bitbucket_writes() {
        for (text, ms) in [
            ("1970-01-01T00:00:00.000Z", 0),
            ("2018-07-05T05:01:10+0000", 1_530_766_870_000),
            ("2018-07-05T07:01:10.25+02:00", 1_530_766_870_250),
            ("2018-07-04T23:31:10-0530", 1_530_766_870_000),
        ] {
            assert_eq!(Time::from_iso(text), Some(Time(ms)), "{text}");
        }
        for text in [
            "",
            "T",
            "2018-07-05",
            "2018-13-05T05:01:10Z",
            "x-y-zT1:2:3Z",
            "2018-07-05T25:00:00Z",
            "2018-07-05T05:01:10+é1",
        ] {
            assert_eq!(Time::from_iso(text), None, "{text}");
        }
    }
}
