//! Structures, unions and classes, in GDB's arrangement: data, member functions, typedefs.

use super::offsets::{COLUMNS, Offsets, is_record};
use super::{Detail, INDENT, Listing};
use crate::layout::Dialect;
use crate::spelling::{base_name, declare, type_name};
use crate::{Access, Member, Method, Parts, Qualifier, Record, RecordKind, Type, TypeRef};
use base::qualified::bare_last;
use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;

/// How deep records are listed within each other.
const DEEPEST: usize = 16;

impl Listing {
    /// Writes the definition of a record behind its keyword and name.
    pub(super) fn class(&mut self, head: String, record: &Record, detail: Detail, indent: usize) -> String {
        let parts = record.parts();
        let offsets = self.listed.offsets.then(|| Offsets::new(record, self.begins));
        let mut body = Body { text: head, indent, section: None, is_labelled: is_labelled(record, &parts), offsets };
        body.text.push_str(&self.bases(record, &parts));
        body.text.push_str(" {\n");
        let has_data = !(record.members.is_empty() && record.virtual_bases.is_empty() && record.statics.is_empty());
        if record.is_incomplete() {
            body.line("<incomplete type>");
        } else if !has_data && parts.methods.is_empty() && parts.typedefs.is_empty() {
            body.line("<no data fields>");
        }
        self.data(record, &parts, detail, &mut body);
        // Of what has no name, the members say enough.
        if self.listed.methods && detail == Detail::Members {
            self.methods(record, &parts, &mut body);
        }
        if self.listed.typedefs && detail == Detail::Members {
            self.typedefs(&parts, has_data || !parts.methods.is_empty(), &mut body);
        }
        let mut before = indent;
        if let Some(offsets) = &body.offsets {
            body.text.push_str(&offsets.finish(record.size.unwrap_or(0), indent));
            // So GDB does it.
            before += COLUMNS + if indent == 0 { INDENT / 2 } else { 0 };
        }
        let _ = write!(body.text, "{}}}", " ".repeat(before));
        body.text
    }

    fn bases(&self, record: &Record, parts: &Parts) -> String {
        let mut bases = Vec::new();
        let access = |list: &[Access], at: usize| list.get(at).copied().unwrap_or_default().word();
        for at in 0..=record.members.len() {
            for (of, shared) in record.virtual_bases.iter().enumerate().filter(|(_, shared)| shared.before == at) {
                let name = type_name(&shared.ty.get(), self.dialect);
                bases.push(format!("{} virtual {name}", access(&parts.virtual_bases, of)));
            }
            if let Some(base) = record.members.get(at).filter(|member| member.is_base) {
                bases.push(format!("{} {}", access(&parts.members, at), type_name(&base.ty.get(), self.dialect)));
            }
        }
        if bases.is_empty() { String::new() } else { format!(" : {}", bases.join(", ")) }
    }

    fn data(&mut self, record: &Record, parts: &Parts, detail: Detail, body: &mut Body) {
        let indent = body.indent + INDENT;
        for at in 0..=record.members.len() {
            for (of, fixed) in record.statics.iter().enumerate().filter(|(_, fixed)| fixed.before == at) {
                let declared = self.declare(&fixed.ty.get(), &fixed.name, Detail::Names, indent);
                body.label(parts.statics.get(of).copied());
                body.line(&format!("static {declared};"));
            }
            let Some(member) = record.members.get(at).filter(|member| !member.is_base && !is_table(member)) else {
                continue;
            };
            if !self.take() {
                return body.line("...");
            }
            let name = member.name.as_deref().unwrap_or_default();
            let ty = member.ty.get();
            // One that debug info has in itself would not end.
            let is_listed = self.listed.offsets && is_record(&ty) && self.depth < DEEPEST;
            let (begins, depth) = (self.begins, self.depth);
            self.begins = begins.saturating_add(member.offset.saturating_mul(8));
            self.depth += usize::from(is_listed);
            let declared = self.declare(&ty, name, if is_listed { detail } else { detail.inside() }, indent);
            (self.begins, self.depth) = (begins, depth);
            let width = member.bits.map(|bits| format!(" : {}", bits.size)).unwrap_or_default();
            body.label(parts.members.get(at).copied());
            body.member(member, &format!("{declared}{width};"));
        }
    }

    /// Writes member functions, those of one name together, where the first of them is declared.
    fn methods(&mut self, record: &Record, parts: &Parts, body: &mut Body) {
        if !parts.methods.is_empty() && body.section.is_some() {
            body.text.push('\n');
        }
        // Here GDB always says who may.
        body.is_labelled = true;
        let class = bare_last(record.name.as_deref().unwrap_or_default());
        let mut names: Vec<(&str, Vec<&Method>)> = Vec::new();
        let mut known = HashMap::new();
        for method in &parts.methods {
            let at = *known.entry(method.name.as_str()).or_insert(names.len());
            if at == names.len() {
                names.push((&method.name, Vec::new()));
            }
            names[at].1.push(method);
        }
        for method in names.into_iter().flat_map(|(_, methods)| methods) {
            if !self.take() {
                return body.line("...");
            }
            body.label(Some(method.access));
            let declared = self.method(method, class);
            body.line(&format!("{declared};"));
        }
    }

    fn method(&self, method: &Method, class: &str) -> String {
        let ty = method.ty.get();
        let Type::Function { result, parameters, variadic, .. } = &*ty else {
            return format!("{}(...)", method.name);
        };
        let shown = parameters.get(method.hidden..).unwrap_or_default().to_vec();
        let nothing = Arc::new(Type::Void).into();
        let seen = Type::Function { result: nothing, parameters: shown, variadic: *variadic, prototyped: true };
        let dialect = self.dialect;
        let declared = declare(&Arc::new(seen), &method.name, dialect, &mut |base| base_name(base, dialect));
        let mut declared = declared.strip_prefix("void ").unwrap_or(&declared).to_owned();
        if !is_without_result(&method.name, class) {
            declared = format!("{} {declared}", type_name(&result.get(), dialect));
        }
        let object = parameters.first().filter(|_| method.hidden > 0).map(|this| this.get());
        for word in object.map(|this| qualifiers_of_object(&this)).unwrap_or_default() {
            declared.push(' ');
            declared.push_str(word);
        }
        if !method.reference.is_empty() {
            declared.push(' ');
            declared.push_str(method.reference);
        }
        let kind = match method {
            Method { is_virtual: true, .. } => "virtual ",
            Method { is_static: true, .. } => "static ",
            _ => "",
        };
        format!("{kind}{declared}")
    }

    fn typedefs(&mut self, parts: &Parts, has_others: bool, body: &mut Body) {
        if !parts.typedefs.is_empty() && has_others {
            body.text.push('\n');
        }
        for (access, link) in &parts.typedefs {
            let ty = link.get();
            let Type::Typedef { name, target, .. } = &*ty else { continue };
            if !self.take() {
                return body.line("...");
            }
            let declared = self.declare(&target.get(), bare_last(name), Detail::Names, body.indent + INDENT);
            body.label(Some(*access));
            body.line(&format!("typedef {declared};"));
        }
    }

    /// Takes one of the members that may still be listed. Returns whether there was one.
    fn take(&mut self) -> bool {
        let left = self.left.checked_sub(1);
        self.left = left.unwrap_or(0);
        left.is_some()
    }
}

impl Method {
    /// Returns its name with its parameters, as demanglers show it: `f(int) const`.
    pub(crate) fn signature(&self, dialect: Dialect) -> String {
        let ty = self.ty.get();
        let Type::Function { parameters, variadic, .. } = &*ty else { return format!("{}(...)", self.name) };
        let shown = parameters.get(self.hidden..).unwrap_or_default().iter();
        let mut shown: Vec<String> = shown.map(|parameter| type_name(&parameter.get(), dialect)).collect();
        shown.extend(variadic.then(|| "...".to_owned()));
        let object = parameters.first().filter(|_| self.hidden > 0).map(|this| this.get());
        let words = object.map(|this| qualifiers_of_object(&this)).unwrap_or_default();
        let words: String = words.iter().map(|word| format!(" {word}")).collect();
        format!("{}({}){words}", self.name, shown.join(", "))
    }
}

/// What has been written of a record.
struct Body {
    text: String,
    /// Columns.
    indent: usize,
    /// Of the last label.
    section: Option<Access>,
    /// Whether labels are needed.
    is_labelled: bool,
    /// Where members are, if that is told.
    offsets: Option<Offsets>,
}

impl Body {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}{text}", " ".repeat(self.margin() + self.indent + INDENT));
    }

    /// Writes the line of a member.
    fn member(&mut self, member: &Member, text: &str) {
        match &mut self.offsets {
            Some(offsets) => {
                let before = offsets.before(member);
                let _ = writeln!(self.text, "{before}{}{text}", " ".repeat(self.indent + INDENT));
            }
            None => self.line(text),
        }
    }

    /// Returns the columns in front of what has no place.
    fn margin(&self) -> usize {
        if self.offsets.is_some() { COLUMNS } else { 0 }
    }

    /// Writes `public:`, if it is not said already. Where nothing is known nothing is said.
    fn label(&mut self, access: Option<Access>) {
        let Some(access) = access.filter(|access| self.is_labelled && self.section != Some(*access)) else { return };
        self.section = Some(access);
        let _ = writeln!(self.text, "{}{}:", " ".repeat(self.margin() + self.indent + INDENT / 2), access.word());
    }
}

/// Returns whether some member is not what all are without a label: private in a class, public in a struct.
fn is_labelled(record: &Record, parts: &Parts) -> bool {
    let usual = if record.kind == RecordKind::Class { Access::Private } else { Access::Public };
    // That is private.
    if usual == Access::Public && record.members.iter().any(is_table) {
        return true;
    }
    let members = record.members.iter().zip(&parts.members);
    let members = members.filter(|(member, _)| !member.is_base && !is_table(member)).map(|(_, access)| *access);
    let data = members.chain(parts.statics.iter().copied());
    let others = parts.methods.iter().map(|method| method.access).chain(parts.typedefs.iter().map(|t| t.0));
    data.chain(others).any(|access| access != usual)
}

/// Returns whether a member is the pointer to the virtual table, which nobody has declared.
fn is_table(member: &Member) -> bool {
    member.name.as_deref().is_some_and(|name| name.starts_with("_vptr.") || name.starts_with("_vptr$"))
}

/// Returns whether a method is a constructor, a destructor or a conversion.
fn is_without_result(method: &str, class: &str) -> bool {
    let is_conversion = method.strip_prefix("operator ").is_some_and(|to| {
        let is_memory = ["new", "delete"].iter().any(|word| to.starts_with(word));
        !is_memory && to.starts_with(|c: char| c.is_alphanumeric() || c == '_')
    });
    method.starts_with('~') || is_conversion || !class.is_empty() && bare_last(method) == class
}

/// Returns `const` and `volatile` of the object that a function works on.
fn qualifiers_of_object(this: &TypeRef) -> Vec<&'static str> {
    let mut words = Vec::new();
    let mut ty = this.clone();
    let mut is_object = false;
    // `this` is a constant pointer to a class with up to two qualifiers.
    for _ in 0..4 {
        let next = match &*ty {
            Type::Qualified { qualifier, target } => {
                words.extend(match qualifier {
                    Qualifier::Const if is_object => Some("const"),
                    Qualifier::Volatile if is_object => Some("volatile"),
                    _ => None,
                });
                target.get()
            }
            Type::Pointer { target, .. } if !is_object => {
                is_object = true;
                target.get()
            }
            _ => break,
        };
        ty = next;
    }
    words.sort_unstable();
    words
}
