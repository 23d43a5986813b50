//! Dates of cookies (RFC 6265, 5.1.1), as servers have always written them.

/// The seconds from 1970 to a date; none if it is no date.
pub(super) fn seconds(text: &str) -> Option<i64> {
    let is_delimiter = |c: char| matches!(c, '\t' | ' '..='/' | ';'..='@' | '['..='`' | '{'..='~');
    let (mut time, mut day, mut month, mut year) = (None, None, None, None);
    for token in text.split(is_delimiter).filter(|token| !token.is_empty()) {
        if time.is_none()
            && let Some(found) = time_of(token)
        {
            time = Some(found);
        } else if day.is_none()
            && let Some(found) = number(token, 1..=2)
        {
            day = Some(found);
        } else if month.is_none()
            && let Some(found) = month_of(token)
        {
            month = Some(found);
        } else if year.is_none()
            && let Some(found) = number(token, 2..=4)
        {
            year = Some(found);
        }
    }
    let year = match year? {
        short @ 70..=99 => short + 1900,
        short @ 0..=69 => short + 2000,
        year => year,
    };
    let ((hour, minute, second), day, month) = (time?, day?, month?);
    let is_valid = (1..=31).contains(&day) && year >= 1601 && hour <= 23 && minute <= 59 && second <= 59;
    is_valid.then(|| days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second)
}

/// The number at the start of a token, if it has as many digits as allowed.
fn number(token: &str, digits: std::ops::RangeInclusive<usize>) -> Option<i64> {
    let count = token.bytes().take_while(u8::is_ascii_digit).count();
    digits.contains(&count).then(|| token[..count].parse().ok())?
}

fn time_of(token: &str) -> Option<(i64, i64, i64)> {
    let mut parts = token.splitn(3, ':').map(|part| number(part, 1..=2));
    Some((parts.next()??, parts.next()??, parts.next()??))
}

fn month_of(token: &str) -> Option<i64> {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let name = token.get(..3)?.to_ascii_lowercase();
    MONTHS.iter().position(|month| *month == name).map(|at| at as i64 + 1)
}

/// The days from 1970 to a date of the Gregorian calendar. A year begins with March, so that leap days come last.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_all_servers_are_read() {
        let known = Some(784_111_777);
        for text in [
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
            "1994 November 6 08:49:37",
            "06 nov 94 8:49:37",
        ] {
            assert_eq!(seconds(text), known, "{text}");
        }
        assert_eq!(seconds("Thu, 01 Jan 1970 00:00:00 GMT"), Some(0));
        assert_eq!(seconds("Tue, 29-Feb-2028 00:00:00 GMT"), Some(1_835_395_200));
        assert_eq!(seconds("Fri, 31 Dec 69 23:59:59 GMT"), Some(3_155_759_999));
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in [
            "",
            "tomorrow",
            "6 Nov 1994",
            "6 Nov 1994 24:00:00",
            "32 Jan 1994 00:00:00",
            "1 Jan 1600 00:00:00",
        ] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }
}
