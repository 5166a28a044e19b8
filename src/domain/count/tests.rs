use super::Count;

#[test]
fn a_count_says_whether_it_is_the_whole() {
    assert_eq!(
        (
            Count::Exact(312).to_string(),
            Count::AtLeast(100).to_string()
        ),
        ("312".to_owned(), "at least 100".to_owned())
    );
    assert!(Count::Exact(0).is_exact() && !Count::AtLeast(0).is_exact());
    assert_eq!(
        (Count::Exact(3).number(), Count::AtLeast(4).number()),
        (3, 4)
    );
}
