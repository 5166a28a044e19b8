use super::Names;
use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::Resolver;
use ureq::unversioned::transport::NextTimeout;

fn look_up(names: &Names, uri: &str) -> Result<usize, ureq::Error> {
    let uri: Uri = uri.parse().expect("an address");
    names
        .resolve(&uri, &Config::default(), NextTimeout::default())
        .map(|found| found.len())
}

fn known(names: &Names) -> Vec<String> {
    names
        .0
        .known
        .lock()
        .expect("no panic")
        .iter()
        .map(|known| known.name.clone())
        .collect()
}

#[test]
fn a_name_is_remembered_with_its_port_and_without_credentials_until_it_is_forgotten() {
    let names = Names::default();
    for _ in 0..2 {
        look_up(&names, "http://127.0.0.1:7990/x").expect("an address");
        look_up(&names, "http://wren:secret@127.0.0.1:3128/").expect("an address");
    }
    assert_eq!(
        known(&names),
        ["http://127.0.0.1:7990", "http://127.0.0.1:3128"]
    );
    names.forget();
    assert!(known(&names).is_empty());
}

#[test]
fn a_name_that_is_not_known_is_asked_for_again() {
    let names = Names::default();
    assert!(look_up(&names, "http://bitbucket.invalid/").is_err());
    assert!(known(&names).is_empty());
}
