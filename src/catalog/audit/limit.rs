//! How large the system lets a file become, which a shell or a service manager may have bounded.
//!
//! Writing past that bound ends a process by a signal before it can say a word, so it is looked up beforehand: the
//! call that cannot be recorded is then answered as on a disk that is full. Start at [`of_a_file`].

/// The most bytes of a file that this process may write to; `None` if there is no bound, or the system tells none.
///
/// Source: `Max file size` of `/proc/self/limits`, the soft one.
pub fn of_a_file() -> Option<u64> {
    read(&std::fs::read_to_string("/proc/self/limits").ok()?)
}

fn read(limits: &str) -> Option<u64> {
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max file size"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn the_soft_limit_of_files_is_read() {
        let limits = |value: &str| {
            format!(
                "Limit                     Soft Limit           Hard Limit           Units     \n\
                 Max cpu time              7                    unlimited            seconds   \n\
                 Max file size             {value:<21}unlimited            bytes     \n"
            )
        };
        for (value, read_as) in [("unlimited", None), ("512", Some(512)), ("0", Some(0))] {
            assert_eq!(read(&limits(value)), read_as, "{value}");
        }
        assert_eq!(read(""), None);
    }
}
