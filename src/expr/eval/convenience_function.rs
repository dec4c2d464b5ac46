//! GDB's convenience functions: `$_streq(name, "main")`, `$_strlen(line)`, `$_regex(path, "^/etc/")`,
//! `$_memeq(a, b, 16)`. They look at memory and call nothing of the program's.

use super::*;
use base::untrusted;

/// Their names, with what is given to them.
const SIGNATURES: [(&str, &str); 4] = [
    ("_streq", "$_streq(TEXT, TEXT)"),
    ("_strlen", "$_strlen(TEXT)"),
    ("_regex", "$_regex(TEXT, \"PATTERN\")"),
    ("_memeq", "$_memeq(ADDRESS, ADDRESS, BYTES)"),
];
/// Most bytes that are compared.
const MOST_COMPARED: u64 = 1 << 20;

impl Evaluator<'_> {
    /// Evaluates a call of a convenience function; `None` if this is none.
    pub(super) fn convenience_function(
        &mut self,
        function: &Expr,
        arguments: &[Expr],
        span: &Span,
    ) -> Result<Option<Value>, Error> {
        let ExprKind::Register(name) = &function.kind else { return Ok(None) };
        let Some((_, signature)) = SIGNATURES.iter().find(|(known, _)| known == name) else {
            // A register, or a variable that holds the address of a function.
            if name.starts_with('_') && self.env.register(name).is_none() {
                let names = SIGNATURES.map(|(_, signature)| signature).join(", ");
                return Err(Error::new(&function.span, ErrorKind::NoConvenienceFunction(name.clone(), names)));
            }
            return Ok(None);
        };
        let wrong = || Error::new(span, ErrorKind::ConvenienceArguments(signature));
        match (name.as_str(), arguments) {
            ("_streq", [a, b]) => {
                let (x, y) = (self.text_argument(a, signature)?, self.text_argument(b, signature)?);
                Ok(Some(self.truth_value(x == y)))
            }
            ("_strlen", [text]) => {
                // Characters, as GDB counts them, not bytes.
                let length = readable(&self.text_argument(text, signature)?).chars().count() as u128;
                Ok(Some(Value::from_number(Number::Integer(Integer::new(IntegerType::INT, length)))))
            }
            ("_regex", [text, pattern]) => {
                let written = readable(&self.text_argument(pattern, signature)?);
                let refused =
                    |why: untrusted::RegexRefused| Error::new(&pattern.span, ErrorKind::Pattern(why.to_string()));
                let compiled = untrusted::regex(&written).map_err(refused)?;
                let text = readable(&self.text_argument(text, signature)?);
                // As Python's `match`: at the beginning.
                Ok(Some(self.truth_value(compiled.find(&text).is_some_and(|found| found.start() == 0))))
            }
            ("_memeq", [a, b, size]) => {
                let size = self.value(size)?;
                let size = match self.number(size, signature, "a number of bytes", span)? {
                    Number::Integer(size) => u64::try_from(size.value()).ok().filter(|size| *size <= MOST_COMPARED),
                    _ => None,
                };
                let size = size.ok_or_else(wrong)? as usize;
                let (x, y) = (self.bytes_argument(a, size)?, self.bytes_argument(b, size)?);
                Ok(Some(self.truth_value(x == y)))
            }
            _ => Err(wrong()),
        }
    }

    fn text_argument(&mut self, argument: &Expr, signature: &'static str) -> Result<Vec<u32>, Error> {
        let span = &argument.span;
        let value = self.value(argument)?;
        let value = self.referent(value, span)?;
        let value = self.peeled(value, span)?;
        let is_of_characters = meaning::element_of(&value).is_some_and(|element| width_of(&element).is_some());
        let wrong = |this: &Self| this.wrong_operand(signature, &value.ty, "a text", span);
        if self.unevaluated {
            let may_be_text = is_of_characters || matches!(&*strip(&value.ty), Type::Record(_));
            return if may_be_text { Ok(Vec::new()) } else { Err(wrong(self)) };
        }
        match self.text_by(&value, width_of, span)? {
            Some(text) => Ok(text),
            None if is_of_characters && pointer_target(&value.ty).is_some() => {
                let address = self.pointer_bits(&value, span)?;
                Err(Error::new(span, ErrorKind::Unavailable(Unavailable::Memory(address))))
            }
            None => Err(wrong(self)),
        }
    }

    /// Reads so many bytes of what an argument points to, or of the array that it is.
    fn bytes_argument(&mut self, argument: &Expr, size: usize) -> Result<Vec<u8>, Error> {
        let value = self.c_argument(argument)?;
        let value = self.referent(value, &argument.span)?;
        let failed = |reason| Error::new(&argument.span, ErrorKind::Unavailable(reason));
        if self.unevaluated {
            return Ok(vec![0; size]);
        }
        let address = match (array_parts(&value.ty), value.address()) {
            (Some(_), Some(address)) => address,
            // A literal, or what is in registers.
            (Some(_), None) if size_of(&value.ty).is_some_and(|all| all < size as u64) => {
                let all = size_of(&value.ty).unwrap_or_default();
                return Err(meaning::no_element(&argument.span, &format!("it has {all} bytes, not {size}")));
            }
            (Some(_), None) => return value.read(self.env, 0, size).map_err(failed),
            (None, _) => self.address_operand(value, &argument.span)?,
        };
        let mut bytes = vec![0; size];
        self.env.read(address, &mut bytes).map_err(failed)?;
        Ok(bytes)
    }
}

/// Returns the width of what is a character to GDB's functions: `unsigned char` and `signed char` are, too.
fn width_of(ty: &TypeRef) -> Option<u64> {
    use ctype::Encoding::{SignedChar, UnsignedChar};
    let is_byte = matches!(&*strip(ty), Type::Base { encoding: SignedChar | UnsignedChar, size: 1, .. });
    meaning::character_width(ty).or(is_byte.then_some(1))
}

/// Returns code units as text: UTF-8 if they are bytes and that is what they are, each for itself otherwise.
fn readable(units: &[u32]) -> String {
    let bytes: Option<Vec<u8>> = units.iter().map(|unit| u8::try_from(*unit).ok()).collect();
    match bytes.map(String::from_utf8) {
        Some(Ok(text)) => text,
        _ => units.iter().map(|unit| char::from_u32(*unit).unwrap_or(char::REPLACEMENT_CHARACTER)).collect(),
    }
}
