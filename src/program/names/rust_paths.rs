//! Paths of Rust that say where they begin: `crate::x`, `self::x`, `super::x`.

use super::Names;
use crate::module::Loaded;
use base::qualified::QualifiedName;

impl<M: Loaded> Names<M> {
    /// Writes a path that begins at the crate, the module of the code or one around that, as debug info has it: with the
    /// names of the crate and of all modules. `None` if it begins with none of them, or there are not so many.
    pub(super) fn rust_path(&self, path: &[String]) -> Option<Vec<String>> {
        let module = match path.first()?.as_str() {
            "crate" => self.module()?.into_iter().take(1).collect(),
            "self" | "super" => self.module()?,
            _ => return None,
        };
        let (mut module, mut rest) = (module, path);
        while let [first, behind @ ..] = rest {
            match first.as_str() {
                "crate" | "self" if rest.len() == path.len() => {}
                "super" if module.len() > 1 => drop(module.pop()),
                "super" => return None,
                _ => break,
            }
            rest = behind;
        }
        module.extend(rest.iter().cloned());
        (!rest.is_empty()).then_some(module)
    }

    fn module(&self) -> Option<Vec<String>> {
        let split = QualifiedName::split(self.module_name()?);
        Some(split.components().iter().map(|part| part.text.to_owned()).collect())
    }

    /// Returns the crate and the modules that the code is in: no function, type or `impl` of them.
    pub(super) fn module_name(&self) -> Option<&str> {
        let (home, _) = self.home.as_ref()?;
        let image = home.image();
        let is_module = |scope: &&String| {
            let split = QualifiedName::split(scope);
            // A name with arguments is that of a type: methods of a generic one are in `k::U<P>`, which no type has.
            let is_named =
                split.components().iter().all(|part| !part.text.starts_with(['{', '(']) && !part.text.contains('<'));
            // A crate may have the name of a function, as `main` does.
            let is_crate = split.scopes().is_empty();
            let is_free = || {
                image.functions_meant(scope).is_empty()
                    && image.type_named_in(&[], None, &format!("::{scope}")).is_none()
            };
            is_named && (is_crate || is_free())
        };
        // A method that a trait has itself is generic over who implements that; the trait is a namespace, as a module is.
        let is_of_trait = usize::from(self.template_type("Self").is_some());
        self.scopes.iter().skip(1).filter(is_module).nth(is_of_trait).map(String::as_str)
    }
}
