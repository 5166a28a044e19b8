//! Makes the bill of materials: every package that bb is built from, with its license, its digest and what it needs.
//!
//! The same lock file gives the same bytes: no time and no random number stands in it. Start at [`text`].
//!
//! Source: CycloneDX 1.5, JSON.

use super::lock::{Id, Package, Packages};
use serde_json::{Value, json};

/// The bill, as it is kept and handed out.
pub fn text(packages: &Packages) -> String {
    let own = format!("pkg:cargo/bb@{}", packages.version);
    let components: Vec<Value> = packages.all.iter().map(component).collect();
    let of_bb = json!({"ref": own, "dependsOn": refs(&packages.of_bb)});
    let of_others = packages.all.iter().map(|package| {
        let id = (package.name.clone(), package.version.clone());
        json!({"ref": purl(&id), "dependsOn": refs(&package.needs)})
    });
    let dependencies: Vec<Value> = [of_bb].into_iter().chain(of_others).collect();
    let bill = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {
            "type": "application",
            "bom-ref": own,
            "name": "bb",
            "version": packages.version,
            "purl": own,
            "licenses": [{"expression": "MIT OR Apache-2.0"}],
        }},
        "components": components,
        "dependencies": dependencies,
    });
    format!("{bill:#}\n")
}

fn component(package: &Package) -> Value {
    let purl = purl(&(package.name.clone(), package.version.clone()));
    json!({
        "type": "library",
        "bom-ref": purl,
        "name": package.name,
        "version": package.version,
        "purl": purl,
        // What runs at build time alone is not in the binary.
        "scope": if package.is_linked { "required" } else { "excluded" },
        "licenses": [{"expression": package.license}],
        "hashes": [{"alg": "SHA-256", "content": package.checksum}],
    })
}

fn refs(ids: &[Id]) -> Vec<String> {
    ids.iter().map(purl).collect()
}

fn purl((name, version): &Id) -> String {
    // A plus in a version is the one sign here that an address may not hold.
    format!("pkg:cargo/{name}@{}", version.replace('+', "%2B"))
}
