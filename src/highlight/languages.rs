//! Which grammar reads a file or a fence: by name, by ending, by interpreter, by the word after the marks.
//!
//! Never reads a file and never loads a grammar. A language that bb should know is a line in [`FILES`], one that
//! holds other languages a line in [`TEMPLATES`] as well. Start reading at [`Language`].

/// A language that there is a grammar for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Language(&'static str);

/// Whether the grammars that hold other grammars are used too: the operator's choice (`--highlight-templates`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Templates {
    /// A template stays plain.
    Plain,
    /// A template is highlighted as anything else.
    Highlighted,
}

impl Language {
    /// The language of a file by its path, and by its first line (`#!/usr/bin/env python3`, `<?xml …`) where the
    /// path tells nothing; none for what has no grammar, or a template that is not asked for.
    pub fn of_file(path: &str, first_line: Option<&str>, templates: Templates) -> Option<Self> {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        by_name(name)
            .or_else(|| first_line.and_then(by_first_line))
            .and_then(|grammar| Self::asked_for(grammar, templates))
    }

    /// The language that a fence of Markdown names: the first word after its marks, in any case.
    pub fn of_fence(words: &str, templates: Templates) -> Option<Self> {
        let word = words
            .split(|c: char| c.is_whitespace() || matches!(c, ',' | '{' | '}'))
            .map(|word| word.trim_start_matches('.'))
            .find(|word| !word.is_empty())?
            .to_lowercase();
        let named = FENCES.iter().find(|(_, known)| known.contains(&&*word));
        named
            .map(|(grammar, _)| *grammar)
            .or_else(|| by_ending(&word))
            .and_then(|grammar| Self::asked_for(grammar, templates))
    }

    /// The grammar's name in the set that `grammars.rs` reads.
    pub fn grammar(self) -> &'static str {
        self.0
    }

    /// Whether its grammar holds other grammars, so that one line can take it very long.
    pub fn is_template(self) -> bool {
        TEMPLATES.contains(&self.0)
    }

    /// Each language of the tables once.
    #[cfg(test)]
    pub fn all() -> impl Iterator<Item = Self> {
        FILES.iter().map(|(grammar, _)| Self(grammar))
    }

    fn asked_for(grammar: &'static str, templates: Templates) -> Option<Self> {
        let language = Self(grammar);
        (templates == Templates::Highlighted || !language.is_template()).then_some(language)
    }
}

/// The grammars of templates: each holds the grammars of two or three languages, which no deadline stops in a line.
const TEMPLATES: &[&str] = &[
    "ASP",
    "CFML",
    "HTML (ASP)",
    "HTML (EEx)",
    "HTML (Erlang)",
    "HTML (Jinja2)",
    "HTML (Rails)",
    "HTML (Tcl)",
    "HTML (Twig)",
    "Java Server Page (JSP)",
    "JavaScript (Rails)",
    "Jinja2",
    "PHP",
    "Ruby Haml",
    "Ruby Slim",
    "Ruby on Rails",
    "SQL (Rails)",
    "Svelte",
    "Vue Component",
];

/// Grammars and the names of the files that they read, in lower case: `.x` is an ending, `x` a whole name, `x*` a
/// beginning. The longest ending wins, a whole name wins over an ending, an ending over a beginning.
const FILES: &[(&str, &[&str])] = &[
    ("ASP", &[".asa"]),
    ("AWK", &[".awk"]),
    ("ActionScript", &[".as"]),
    ("Ada", &[".adb", ".ads", ".gpr"]),
    ("Apache Conf", &[".htaccess", "httpd.conf"]),
    ("AppleScript", &[".applescript"]),
    ("AsciiDoc (Asciidoctor)", &[".adoc", ".asciidoc"]),
    ("Batch File", &[".bat", ".cmd"]),
    (
        "Bourne Again Shell (bash)",
        &[
            ".sh",
            ".bash",
            ".zsh",
            ".ksh",
            ".ash",
            ".bashrc",
            ".bash_profile",
            ".bash_aliases",
            ".profile",
            ".zshrc",
            ".zprofile",
            ".zshenv",
            ".ebuild",
            "pkgbuild",
            "gradlew",
            "mvnw",
        ],
    ),
    ("C", &[".c"]),
    ("C#", &[".cs", ".csx"]),
    (
        "C++",
        &[
            ".cpp", ".cc", ".cxx", ".c++", ".h", ".hh", ".hpp", ".hxx", ".inl", ".ipp", ".ino",
        ],
    ),
    ("CFML", &[".cfm", ".cfml", ".cfc"]),
    ("CMake", &[".cmake", "cmakelists.txt"]),
    ("CSS", &[".css"]),
    ("Clojure", &[".clj", ".cljc", ".cljs", ".edn"]),
    ("CoffeeScript", &[".coffee", ".cson"]),
    ("Crystal", &[".cr"]),
    ("D", &[".d", ".di"]),
    ("Dart", &[".dart"]),
    ("Diff", &[".diff", ".patch"]),
    (
        "Dockerfile",
        &[
            ".dockerfile",
            "dockerfile",
            "containerfile",
            "dockerfile.*",
            "containerfile.*",
        ],
    ),
    ("DotENV", &[".env", ".envrc", ".env.*"]),
    ("Elixir", &[".ex", ".exs"]),
    ("Elm", &[".elm"]),
    ("Erlang", &[".erl", ".hrl"]),
    ("F#", &[".fs", ".fsi", ".fsx"]),
    ("Fish", &[".fish"]),
    ("Fortran (Fixed Form)", &[".f", ".f77", ".for"]),
    ("Fortran (Modern)", &[".f90", ".f95", ".f03", ".f08"]),
    ("GDScript (Godot Engine)", &[".gd"]),
    ("GLSL", &[".glsl", ".vert", ".frag", ".geom", ".comp"]),
    ("Git Attributes", &[".gitattributes"]),
    ("Git Config", &[".gitconfig", ".gitmodules"]),
    (
        "Git Ignore",
        &[
            ".gitignore",
            ".dockerignore",
            ".npmignore",
            ".eslintignore",
            ".prettierignore",
        ],
    ),
    ("Go", &[".go"]),
    ("Gomod", &["go.mod", "go.work"]),
    ("GraphQL", &[".graphql", ".graphqls", ".gql"]),
    ("Graphviz (DOT)", &[".dot", ".gv"]),
    (
        "Groovy",
        &[
            ".groovy",
            ".gvy",
            ".gradle",
            ".jenkinsfile",
            "jenkinsfile",
            "jenkinsfile*",
        ],
    ),
    ("HTML", &[".html", ".htm", ".shtml", ".xhtml"]),
    ("HTML (ASP)", &[".asp"]),
    ("HTML (EEx)", &[".eex", ".leex", ".heex"]),
    ("HTML (Erlang)", &[".yaws"]),
    (
        "HTML (Jinja2)",
        &[
            ".html.j2",
            ".htm.j2",
            ".xml.j2",
            ".html.jinja",
            ".html.jinja2",
        ],
    ),
    ("HTML (Rails)", &[".erb", ".rhtml"]),
    ("HTML (Tcl)", &[".adp"]),
    ("HTML (Twig)", &[".twig"]),
    ("HTTP Request and Response", &[".http", ".rest"]),
    ("Haskell", &[".hs"]),
    (
        "INI",
        &[
            ".ini",
            ".cfg",
            ".inf",
            ".reg",
            ".desktop",
            ".editorconfig",
            ".coveragerc",
            ".pylintrc",
            ".npmrc",
            ".service",
        ],
    ),
    ("JQ", &[".jq"]),
    (
        "JSON",
        &[
            ".json",
            ".jsonc",
            ".json5",
            ".avsc",
            ".ipynb",
            ".geojson",
            ".webmanifest",
            ".har",
            ".arb",
            ".babelrc",
            ".eslintrc",
            ".prettierrc",
            "composer.lock",
            "pipfile.lock",
            "flake.lock",
        ],
    ),
    ("Java", &[".java", ".bsh"]),
    ("Java Properties", &[".properties"]),
    (
        "Java Server Page (JSP)",
        &[".jsp", ".jspf", ".jspx", ".tag", ".tagx"],
    ),
    ("JavaScript", &[".js", ".mjs", ".cjs"]),
    ("JavaScript (Rails)", &[".js.erb"]),
    ("Jinja2", &[".j2", ".jinja", ".jinja2"]),
    ("Julia", &[".jl"]),
    ("Kotlin", &[".kt", ".kts"]),
    ("LaTeX", &[".tex", ".ltx", ".sty", ".cls"]),
    ("Less", &[".less"]),
    ("Lisp", &[".lisp", ".el", ".lsp", ".scm", ".ss"]),
    ("Lua", &[".lua"]),
    ("MATLAB", &[".matlab"]),
    (
        "Makefile",
        &[
            ".mk",
            ".mak",
            ".make",
            "makefile",
            "gnumakefile",
            "makefile.*",
        ],
    ),
    ("Markdown", &[".md", ".markdown", ".mdown", ".mdx"]),
    ("Nim", &[".nim", ".nims"]),
    ("Ninja", &[".ninja"]),
    ("Nix", &[".nix"]),
    ("OCaml", &[".ml", ".mli"]),
    ("Objective-C", &[".m"]),
    ("Objective-C++", &[".mm"]),
    (
        "PHP",
        &[".php", ".phtml", ".php4", ".php5", ".phps", ".ctp"],
    ),
    ("Pascal", &[".pas", ".dpr", ".dpk"]),
    ("Perl", &[".pl", ".pm", ".t"]),
    ("Protocol Buffer", &[".proto"]),
    ("Puppet", &[".pp"]),
    ("PureScript", &[".purs"]),
    (
        "Python",
        &[
            ".py",
            ".pyi",
            ".pyw",
            ".pyx",
            ".pxd",
            ".bzl",
            ".bazel",
            ".star",
            "build",
            "workspace",
            "sconstruct",
            "snakefile",
            "tiltfile",
        ],
    ),
    ("QML", &[".qml"]),
    ("R", &[".r", ".rprofile"]),
    ("Racket", &[".rkt"]),
    ("Rego", &[".rego"]),
    (
        "Requirements.txt",
        &[
            "requirements.txt",
            "requirements.in",
            "constraints.txt",
            "requirements-*",
        ],
    ),
    ("Robot Framework", &[".robot", ".resource"]),
    (
        "Ruby",
        &[
            ".rb",
            ".rake",
            ".gemspec",
            ".podspec",
            ".jbuilder",
            ".ru",
            "gemfile",
            "rakefile",
            "podfile",
            "fastfile",
            "appfile",
            "vagrantfile",
            "berksfile",
            "brewfile",
            "guardfile",
            "capfile",
        ],
    ),
    ("Ruby Haml", &[".haml"]),
    ("Ruby Slim", &[".slim"]),
    ("Ruby on Rails", &[".builder", ".rxml"]),
    ("Rust", &[".rs"]),
    ("SCSS", &[".scss"]),
    (
        "SQL",
        &[
            ".sql", ".ddl", ".dml", ".psql", ".plsql", ".pks", ".pkb", ".tsql", ".hql",
        ],
    ),
    ("SQL (Rails)", &[".sql.erb"]),
    ("SSH Config", &["ssh_config"]),
    ("Sass", &[".sass"]),
    ("Scala", &[".scala", ".sbt", ".sc"]),
    ("Solidity", &[".sol"]),
    ("Stylus", &[".styl", ".stylus"]),
    ("Svelte", &[".svelte"]),
    ("Swift", &[".swift"]),
    ("SystemVerilog", &[".sv", ".svh"]),
    (
        "TOML",
        &[
            ".toml",
            "cargo.lock",
            "poetry.lock",
            "pdm.lock",
            "uv.lock",
            "pipfile",
        ],
    ),
    ("Tcl", &[".tcl"]),
    ("Terraform", &[".tf", ".tfvars", ".hcl", ".nomad", ".tofu"]),
    ("TypeScript", &[".ts", ".mts", ".cts"]),
    // The one grammar that knows tags within code.
    ("TypeScriptReact", &[".tsx", ".jsx"]),
    ("Typst", &[".typ"]),
    ("VHDL", &[".vhd", ".vhdl"]),
    ("Verilog", &[".v"]),
    ("VimL", &[".vim", ".vimrc"]),
    ("Vue Component", &[".vue"]),
    ("WGSL", &[".wgsl"]),
    (
        "XML",
        &[
            ".xml",
            ".xsd",
            ".xsl",
            ".xslt",
            ".wsdl",
            ".wadl",
            ".svg",
            ".xaml",
            ".axaml",
            ".csproj",
            ".vbproj",
            ".fsproj",
            ".vcxproj",
            ".props",
            ".targets",
            ".nuspec",
            ".resx",
            ".config",
            ".plist",
            ".storyboard",
            ".xib",
            ".fxml",
            ".jrxml",
            ".bpmn",
            ".dmn",
            ".pom",
            ".iml",
            ".tld",
            ".rss",
            ".atom",
            ".xlf",
            ".xliff",
            ".rng",
            ".zul",
            ".jelly",
        ],
    ),
    (
        "YAML",
        &[
            ".yaml",
            ".yml",
            ".clang-format",
            ".yamllint",
            ".gemrc",
            "pubspec.lock",
        ],
    ),
    ("Zig", &[".zig", ".zon"]),
    ("jsonnet", &[".jsonnet", ".libsonnet"]),
    ("nginx", &["nginx.conf", "mime.types", "fastcgi_params"]),
    ("reStructuredText", &[".rst"]),
];

/// Words of fences that are no endings of files.
///
/// Source: the interpreters and aliases of Bitbucket's own code view, and the words that people write.
const FENCES: &[(&str, &[&str])] = &[
    ("Batch File", &["batch", "dosbatch"]),
    (
        "Bourne Again Shell (bash)",
        &["shell", "console", "shellscript", "shell-session"],
    ),
    ("C#", &["csharp", "c#"]),
    ("Clojure", &["clojure"]),
    ("Elixir", &["elixir"]),
    ("Erlang", &["erlang"]),
    ("F#", &["fsharp", "f#"]),
    ("Go", &["golang"]),
    ("Groovy", &["jenkins", "pipeline"]),
    ("Haskell", &["haskell"]),
    ("JavaScript", &["javascript", "node", "ecmascript"]),
    ("Julia", &["julia"]),
    ("Kotlin", &["kotlin"]),
    ("LaTeX", &["latex"]),
    ("OCaml", &["ocaml"]),
    ("Objective-C", &["objc", "objectivec", "objective-c"]),
    ("Pascal", &["pascal", "delphi"]),
    ("Perl", &["perl"]),
    ("Protocol Buffer", &["protobuf"]),
    ("Puppet", &["puppet"]),
    ("Python", &["python", "python3"]),
    ("Ruby", &["ruby"]),
    ("Rust", &["rust"]),
    (
        "SQL",
        &["mysql", "postgresql", "postgres", "tsql", "oracle"],
    ),
    ("Solidity", &["solidity"]),
    ("Terraform", &["terraform"]),
    ("TypeScript", &["typescript"]),
    ("Verilog", &["verilog"]),
    ("VimL", &["viml"]),
    ("XML", &["maven"]),
    ("nginx", &["nginx"]),
    ("reStructuredText", &["rest", "restructuredtext"]),
];

/// Interpreters after `#!`, without their versions.
const INTERPRETERS: &[(&str, &[&str])] = &[
    ("AWK", &["awk", "gawk"]),
    (
        "Bourne Again Shell (bash)",
        &["sh", "bash", "zsh", "dash", "ash", "ksh"],
    ),
    ("Elixir", &["elixir"]),
    ("Erlang", &["escript"]),
    ("Fish", &["fish"]),
    ("Groovy", &["groovy"]),
    ("JavaScript", &["node", "nodejs", "bun"]),
    ("Lua", &["lua", "luajit"]),
    ("Makefile", &["make"]),
    ("PHP", &["php"]),
    ("Perl", &["perl"]),
    ("Python", &["python", "pypy", "uv"]),
    ("R", &["rscript"]),
    ("Ruby", &["ruby", "jruby"]),
    ("Swift", &["swift"]),
    ("Tcl", &["tclsh", "wish", "expect"]),
    ("TypeScript", &["deno", "ts-node", "tsx"]),
];

/// The grammar of a file by its name without folders.
fn by_name(name: &str) -> Option<&'static str> {
    // Names are short; what is longer is no name of the tables' whatever its end.
    const MAX_NAME_BYTES: usize = 255;
    if name.len() > MAX_NAME_BYTES {
        return None;
    }
    let name = name.to_lowercase();
    whole(&name)
        .or_else(|| {
            // `mail.html.erb`: `.html.erb` is looked for before `.erb`.
            name.match_indices('.')
                .find_map(|(at, _)| whole(&name[at..]))
        })
        .or_else(|| beginning(&name))
}

fn by_ending(word: &str) -> Option<&'static str> {
    whole(word).or_else(|| whole(&format!(".{word}")))
}

fn whole(name: &str) -> Option<&'static str> {
    let row = FILES.iter().find(|(_, names)| names.contains(&name));
    row.map(|(grammar, _)| *grammar)
}

fn beginning(name: &str) -> Option<&'static str> {
    let begins = |known: &&str| {
        known
            .strip_suffix('*')
            .is_some_and(|start| name.starts_with(start))
    };
    let row = FILES.iter().find(|(_, names)| names.iter().any(begins));
    row.map(|(grammar, _)| *grammar)
}

fn by_first_line(line: &str) -> Option<&'static str> {
    let line = line.trim_start_matches('\u{feff}');
    if let Some(command) = line.strip_prefix("#!") {
        // `/usr/bin/env -S python3.12 -u`: the first word that is no path to env, no flag and no setting.
        let program = command
            .split_whitespace()
            .map(|word| word.rsplit('/').next().unwrap_or(word))
            .find(|word| *word != "env" && !word.starts_with('-') && !word.contains('='))?;
        let program = program
            .trim_end_matches(|c: char| c.is_ascii_digit() || c == '.')
            .to_lowercase();
        let row = INTERPRETERS
            .iter()
            .find(|(_, known)| known.contains(&&*program));
        return row.map(|(grammar, _)| *grammar);
    }
    let start: String = line.chars().take(16).collect::<String>().to_lowercase();
    if start.starts_with("<?xml") {
        Some("XML")
    } else if start.starts_with("<?php") {
        Some("PHP")
    } else if start.starts_with("<!doctype html") || start.starts_with("<html") {
        Some("HTML")
    } else {
        None
    }
}

#[cfg(test)]
mod tests;
