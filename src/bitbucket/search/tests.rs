use super::plain;

#[test]
fn what_a_search_marks_becomes_the_plain_line_of_the_file() {
    for (html, line) in [
        ("", ""),
        ("let x = 1;", "let x = 1;"),
        ("fn <em>open</em>_valve()", "fn open_valve()"),
        ("<em>a</em><em>b</em>", "ab"),
        ("if a &lt; b &amp;&amp; c &gt; d {", "if a < b && c > d {"),
        ("&quot;it&#39;s&#x27;&apos;&#x2F;&quot;", "\"it's''/\""),
        // Once: what the file itself has as an entity stays one.
        ("&amp;lt;script&amp;gt;", "&lt;script&gt;"),
        ("&lt;em&gt;loud&lt;/em&gt;", "<em>loud</em>"),
        ("&lt;<em>script</em>&gt;alert(1)", "<script>alert(1)"),
        // What is neither mark nor entity is code.
        ("a & b < c <b> </em", "a & b < c <b> </em"),
        (
            "&unknown; &; &#; &#x; &#xD800; &#99999999;",
            "&unknown; &; &#; &#x; &#xD800; &#99999999;",
        ),
        ("&nocolonforaverylongwhile;", "&nocolonforaverylongwhile;"),
        ("ö &auml&ouml;<em>ü</em>&", "ö &auml&ouml;ü&"),
        ("&öööööööööö;", "&öööööööööö;"),
        ("&#65;&#x1F680;", "A🚀"),
    ] {
        assert_eq!(plain(html), line, "{html}");
    }
}
