//! What a server is made of, judged as a whole: all that is wrong with it is told at once.
//!
//! Never asks Bitbucket. Start reading at [`offered`].

use crate::bitbucket::tls;
use crate::catalog::TOOLS;
use crate::catalog::audit;
use crate::catalog::exposure::Exposure;
use crate::catalog::scope::{Entry, Scope};
use crate::exit::{Answer, Exit};
use crate::manifests::approvals::{State, Store};
use crate::manifests::commands;
use crate::manifests::manifest::Manifest;
use crate::manifests::served::{Bar, Named};
use crate::manifests::table::Table;
use crate::settings::{self, Local, SettingsError};

/// What is offered: bb's own tools, or those of an approved manifest.
pub struct Offered {
    /// The manifest.
    pub brought: Option<Manifest>,
    /// Which of its tools.
    pub named: Named,
    /// Which of bb's may run.
    pub exposure: Exposure,
}

impl Offered {
    /// The names of the tools that are left.
    pub fn tools(&self) -> Vec<String> {
        let withholds = |tool: &crate::tool::Tool| self.exposure.withholds(tool);
        let Some(manifest) = &self.brought else {
            let left = TOOLS.iter().filter(|tool| withholds(tool).is_none());
            return left.map(|tool| tool.name.to_owned()).collect();
        };
        let base = |name: &str| TOOLS.iter().copied().find(|base| base.name == name);
        let left = manifest
            .tools
            .iter()
            .filter(|tool| Bar::to(tool, base(&tool.wraps), &self.named, withholds).is_none());
        left.map(|tool| tool.name.clone()).collect()
    }
}

/// What is wrong with what is to be offered.
#[derive(Default)]
pub struct Wrong {
    /// With the manifest, and how a command ends for that.
    pub manifest: Option<(Exit, String)>,
    /// With the names of tools.
    pub tools: Vec<String>,
}

impl Wrong {
    /// How a command ends for this, and for what else is wrong.
    pub fn answer(self, more: impl IntoIterator<Item = String>) -> Answer {
        let more: Vec<String> = self.tools.into_iter().chain(more).collect();
        let exit = match &self.manifest {
            Some((exit, _)) if more.is_empty() => *exit,
            _ => Exit::Usage,
        };
        let manifest = self.manifest.into_iter().map(|(_, why)| why);
        Answer::problems(exit, manifest.chain(more))
    }
}

/// Judges what is to be offered.
///
/// # Errors
/// All that is wrong with it. Where there is no manifest that was asked for, its tools' names are not known and pass.
pub fn offered(mut asked: settings::Offer) -> Result<Offered, Wrong> {
    let brought = asked.manifest.as_deref();
    let brought = brought.map(|id| approved(id, &asked.manifests));
    let (brought, manifest) = match brought.transpose() {
        Ok(brought) => (brought, None),
        Err(why) => {
            asked.exposure.tools.clear();
            asked.exposure.exclude.clear();
            (None, Some(why))
        }
    };
    let named = brought.as_ref().map(|manifest| {
        let given = std::mem::take(&mut asked.exposure.tools);
        Named::of(manifest, &given, &mut asked.exposure.exclude)
    });
    match (manifest, named.transpose(), exposure(&asked.exposure)) {
        (None, Ok(named), Ok(exposure)) => Ok(Offered {
            brought,
            named: named.unwrap_or_default(),
            exposure,
        }),
        (manifest, named, exposure) => {
            let named = named.err().unwrap_or_default().into_iter();
            let tools = named.chain(exposure.err().unwrap_or_default()).collect();
            Err(Wrong { manifest, tools })
        }
    }
}

/// Settings that are refused, with what is wrong besides: whoever mends them is told of it all at once.
pub fn refused(problems: Vec<SettingsError>, local: Option<Local>) -> Answer {
    let mut more: Vec<String> = problems.iter().map(ToString::to_string).collect();
    let Some(local) = local else {
        return Answer::problems(Exit::Usage, more);
    };
    let wrong = offered(local.offer).err().unwrap_or_default();
    more.extend(wrong.manifest.map(|(_, why)| why));
    more.extend(wrong.tools);
    if let Some(files) = local.files {
        let audit = files.audit.as_deref().map(audit::look);
        more.extend(audit.and_then(Result::err));
        let identity = tls::Identity::read(files.ca_file.as_deref(), files.client.as_ref());
        more.extend(identity.err().unwrap_or_default());
    }
    Answer::problems(Exit::Usage, more)
}

/// The approved manifest that is to be served.
fn approved(id: &str, settings: &settings::Manifests) -> Result<Manifest, (Exit, String)> {
    let (table, store) = kept(settings).map_err(|why| (Exit::Usage, why))?;
    let approval = match store.find(id) {
        Ok(Some(approval)) => approval,
        Ok(None) => return Err((Exit::NotFound, commands::unknown(id))),
        Err(why) => return Err((Exit::Unexpected, why)),
    };
    match store.state(&approval, &table) {
        State::Approved(manifest) => Ok(*manifest),
        state => {
            let why = state.why().unwrap_or_default();
            let why = format!("cannot serve the manifest {id}: {why}");
            Err((Exit::Conflict, why))
        }
    }
}

/// What judges manifests, and where they are kept.
///
/// # Errors
/// There is no place to keep them in.
pub fn kept(settings: &settings::Manifests) -> Result<(Table, Store), String> {
    let state_dir = settings.state_dir.as_deref();
    let state_dir = state_dir
        .ok_or("there is no home folder to keep approvals in; name a folder with --state-dir")?;
    let table = Table::of_bb(TOOLS, settings.reserved_hosts.clone());
    Ok((table, Store::new(state_dir)))
}

fn exposure(settings: &settings::Exposure) -> Result<Exposure, Vec<String>> {
    let entries = settings.scope.iter().map(|entry| Entry {
        project: entry.project.clone(),
        repo: entry.repo.clone(),
    });
    let exposure = Exposure::new(
        &settings.tools,
        &settings.exclude,
        settings.read_only,
        TOOLS,
    )?;
    Ok(exposure.within(Scope::new(entries)))
}
