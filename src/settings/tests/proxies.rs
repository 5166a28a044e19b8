use super::{Folder, HOST};
use crate::bitbucket::connection::ProxyKind;

#[test]
fn the_proxy_is_the_one_that_was_named_or_the_one_of_the_scheme() {
    let folder = Folder::new();
    let (https, http, here) = (
        HOST,
        "--host=http://code.example.com",
        "--host=http://localhost:7990",
    );
    for (words, told) in [
        (&[https][..], "none default"),
        (&[https, "HTTPS_PROXY=http://p:1"], "http://p:1 HTTPS_PROXY"),
        (&[https, "https_proxy=http://p:1"], "http://p:1 https_proxy"),
        (
            &[https, "ALL_PROXY=socks5h://p:1"],
            "socks5://p:1 ALL_PROXY",
        ),
        (
            &[https, "ALL_PROXY=http://all:1", "HTTPS_PROXY=http://p:1"],
            "http://p:1 HTTPS_PROXY",
        ),
        (&[https, "http_proxy=http://p:1"], "none default"),
        (
            &[https, "HTTPS_PROXY=http://p:1", "BB_PROXY=https://own"],
            "https://own:443 BB_PROXY",
        ),
        (
            &[https, "BB_PROXY=https://own", "--proxy=none"],
            "none --proxy",
        ),
        (
            &[https, "HTTPS_PROXY=http://p:1", "BB_PROXY=none"],
            "none BB_PROXY",
        ),
        (&[https, "HTTPS_PROXY=p:3128"], "http://p:3128 HTTPS_PROXY"),
        (
            &[http, "--allow-http", "http_proxy=http://p:1/"],
            "http://p:1 http_proxy",
        ),
        (
            &[http, "--allow-http", "HTTP_PROXY=http://p:1"],
            "none default",
        ),
        (
            &[http, "--allow-http", "all_proxy=http://[::1]:1"],
            "http://[::1]:1 all_proxy",
        ),
        // A loopback host uses only an explicit one.
        (
            &[here, "http_proxy=http://p:1", "ALL_PROXY=http://p:1"],
            "none default",
        ),
        (&[here, "BB_PROXY=http://p:1"], "http://p:1 BB_PROXY"),
        (
            &[https, "--proxy=http://p:1", "NO_PROXY=.example.com"],
            "none, because of NO_PROXY NO_PROXY",
        ),
        (
            &[
                https,
                "--proxy=http://p:1",
                "NO_PROXY=*",
                "BB_NO_PROXY=other",
            ],
            "http://p:1 --proxy",
        ),
        (
            &[
                https,
                "--proxy=http://p:1",
                "--no-proxy=other, code.example.com",
            ],
            "none, because of --no-proxy --no-proxy",
        ),
        // A list made for every program may hold what bb cannot read.
        (
            &[https, "--proxy=http://p:1", "no_proxy=<local> x"],
            "http://p:1 --proxy",
        ),
        (
            &[https, "BB_PROXY=http://wren:p%40ss@p:1"],
            "http://p:1 with a user and password (hidden) BB_PROXY",
        ),
    ] {
        folder.check(words, &[&format!("proxy {told}")]);
    }
    let proxy = folder
        .check(&[https, "BB_PROXY=socks5://wr%65n:p%40%2F%3Ass@p"], &[])
        .connection
        .proxy;
    let proxy = proxy.expect("a proxy was given");
    let (user, password) = proxy.credentials.expect("its user was given");
    assert_eq!((proxy.kind, proxy.port), (ProxyKind::Socks5, 1080));
    assert_eq!((user.as_str(), password.open()), ("wren", "p@/:ss"));
}

#[test]
fn a_mistyped_proxy_is_refused_by_where_it_was_given_and_never_shown() {
    let expected =
        "expected `http://`, `https://` or `socks5://` with a host and a port, or `none`";
    for (text, trouble) in [
        ("htp://wren:hunter2@p:1", "its scheme is `htp`"),
        ("wren:hunter2@://p", "it has no scheme that bb knows"),
        ("http://wren:hunter2@", "its host or port cannot be read"),
        (
            "http://wren:hunter2@p:99999",
            "its host or port cannot be read",
        ),
        ("http://p:0", "its host or port cannot be read"),
        (
            "http://p:1/hunter2",
            "there is a path after its host (a `/` in a password is written %2F)",
        ),
        (
            "http://wren:hunter/2@p:1",
            "there is a path after its host (a `/` in a password is written %2F)",
        ),
        (
            "http://wren:hunter2%@p:1",
            "its user or password is not percent-encoded (a `%` is written %25)",
        ),
        (
            "http://:hunter2@p:1",
            "its user name is empty or holds a `:`",
        ),
    ] {
        for name in ["HTTPS_PROXY", "BB_PROXY", "--proxy"] {
            let word = format!("{name}={text}");
            Folder::new().check_refused(
                &[HOST, &word],
                &[&format!("cannot use {name}: {trouble}; {expected}")],
            );
        }
    }
    Folder::new().check_refused(
        &[HOST, "--proxy=http://p:1", "--no-proxy=10.0.0.0/33"],
        &["cannot use --no-proxy `10.0.0.0/33`: expected a host name, `.suffix`, an address, a network such as \
           10.0.0.0/8, or `*`"],
    );
}
