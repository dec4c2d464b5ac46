//! The addresses that a location means in the modules that are loaded.

use crate::api::BreakpointLocation;
use crate::api::error::Error;
use crate::modules::loaded::{Module, Modules};
use arch::{LinkAddr, RunAddr};
use base::qualified::question;
use program::location::{self, CodePlace, CodePlaces, Location, why_nothing};
use program::sources::Sources;
use std::collections::BTreeMap;

/// One place of a location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ResolvedAddress {
    pub(crate) public: BreakpointLocation,
    /// See [`CodePlace::level`].
    pub(crate) level: usize,
}

/// Where a location is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ResolvedLocation {
    /// By address.
    pub(crate) locations: Vec<ResolvedAddress>,
    /// What the user should know about the choice.
    pub(crate) note: Option<String>,
}

impl ResolvedLocation {
    fn of(places: CodePlaces, modules: &Modules) -> Self {
        let all = modules.all();
        let resolved = |place: &CodePlace| Some(at_level(all.get(place.module)?, place));
        let by_address: BTreeMap<RunAddr, ResolvedAddress> =
            places.all.iter().filter_map(resolved).map(|resolved| (resolved.public.address, resolved)).collect();
        Self { locations: by_address.into_values().collect(), note: places.note }
    }
}

/// Resolves a location that is not given as an address. `current_file` is what a bare line number is in. Fails if it is
/// not clear which line is meant.
pub(crate) fn find(
    location: &Location,
    modules: &Modules,
    sources: &mut Sources,
    current_file: Option<&str>,
) -> Result<ResolvedLocation, Error> {
    let found = location::find(location, modules.all(), sources, current_file)?;
    Ok(ResolvedLocation::of(found, modules))
}

/// Resolves a location that is a function, as far as it is known before the names of all modules have been read; `None`
/// if it is no sooner to be had than all of it, or if nothing is known.
pub(crate) fn find_early(location: &Location, modules: &Modules) -> Option<ResolvedLocation> {
    location::find_early(location, modules.all()).map(|found| ResolvedLocation::of(found, modules))
}

fn at_level(module: &Module, place: &CodePlace) -> ResolvedAddress {
    let CodePlace { address, level, .. } = *place;
    let chain = module.image.inline_chain(address);
    let mut public = location_in(module, address);
    if let Some(caller) = chain.get(level).filter(|_| level > 0) {
        public.function = Some(caller.name.clone());
        public.file = caller.file.as_ref().map(|f| f.name.clone());
        public.fullname = caller.file.as_ref().map(|f| f.path.to_string_lossy().into_owned());
        public.line = caller.line;
    }
    ResolvedAddress { public, level }
}

/// Returns what is known about a breakpoint's address.
pub(crate) fn location_of(modules: &Modules, address: RunAddr) -> BreakpointLocation {
    match modules.at(address) {
        Some(module) => location_in(module, module.link(address)),
        None => BreakpointLocation { address, function: None, file: None, fullname: None, line: None },
    }
}

fn location_in(module: &Module, address: LinkAddr) -> BreakpointLocation {
    let row = module.image.line_at(address).filter(|r| r.line != 0);
    BreakpointLocation {
        address: address.at(module.bias),
        function: module.image.inline_chain(address).first().map(|f| f.name.clone()),
        file: row.as_ref().map(|r| r.file.name.clone()),
        fullname: row.as_ref().map(|r| r.file.path.to_string_lossy().into_owned()),
        line: row.map(|r| r.line),
    }
}

/// Returns what to say when nothing loaded has the location.
pub(crate) fn nothing_found(location: &Location, text: &str, modules: &Modules, current_file: Option<&str>) -> Error {
    let mut reason = why_nothing(location, modules.all(), modules.missing(), current_file);
    if let Location::Function(name) | Location::FileFunction(_, name) = location
        && let Some(question) = question(&modules.functions_near(name, true))
    {
        reason += &format!("; {question}");
    }
    Error::NoLocation { text: text.to_owned(), reason, later: !matches!(location, Location::Address(_)) }
}

/// Returns what is to be known of a breakpoint that waits for a module with its location.
pub(crate) fn pending(location: &Location, modules: &Modules, current_file: Option<&str>) -> String {
    format!("pending: {}", why_nothing(location, modules.all(), modules.missing(), current_file))
}
