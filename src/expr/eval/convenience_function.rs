//! GDB's convenience functions: `$_streq(name, "main")`, `$_strlen(line)`, `$_regex(path, "^/etc/")`,
//! `$_memeq(a, b, 16)`. They look at memory and call nothing of the program's.

use super::*;
use regex_lite::RegexBuilder;

/// Their names, with what is given to them.
const SIGNATURES: [(&str, &str); 4] = [
    ("_streq", "$_streq(TEXT, TEXT)"),
    ("_strlen", "$_strlen(TEXT)"),
    ("_regex", "$_regex(TEXT, \"PATTERN\")"),
    ("_memeq", "$_memeq(ADDRESS, ADDRESS, BYTES)"),
];
/// Most bytes that are compared.
const MOST_COMPARED: u64 = 1 << 20;
/// Bytes of a compiled pattern, by which the time goes that a text of the longest kind takes.
const MAX_PATTERN: usize = 1 << 16;

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
                let compiled = RegexBuilder::new(&written).size_limit(MAX_PATTERN).build();
                let compiled =
                    compiled.map_err(|error| Error::new(&pattern.span, ErrorKind::Pattern(error.to_string())))?;
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
        if self.unevaluated {
            let may_be_text = matches!(&*strip(&value.ty), Type::Record(_)) || character_of(&value).is_some();
            return match may_be_text {
                true => Ok(Vec::new()),
                false => Err(self.wrong_operand(signature, &value.ty, "a text", span)),
            };
        }
        if let Some(text) = self.text_of(&value, span)? {
            return Ok(text);
        }
        let target = pointer_target(&value.ty);
        if let Some((element, Some(count))) = array_parts(&value.ty).filter(|(element, _)| is_byte_character(element)) {
            let count = count.min(meaning::MAX_TEXT) as usize;
            debug_assert_eq!(size_of(&element), Some(1), "it is a byte");
            let bytes = value.read(self.env, 0, count).map_err(|why| Error::new(span, ErrorKind::Unavailable(why)))?;
            return Ok(bytes.into_iter().take_while(|byte| *byte != 0).map(u32::from).collect());
        }
        let is_character = |ty: &TypeRef| meaning::character_width(ty).is_some() || is_byte_character(ty);
        if !target.as_ref().is_some_and(is_character) {
            return Err(self.wrong_operand(signature, &value.ty, "a text", span));
        }
        let address = self.pointer_bits(&value, span)?;
        let text = match target.is_some_and(|target| is_byte_character(&target)) {
            true => self.c_string(address, 1, span)?,
            false => None,
        };
        text.ok_or_else(|| Error::new(span, ErrorKind::Unavailable(Unavailable::Memory(address))))
    }

    /// Reads so many bytes of what an argument points to, or of the array that it is.
    fn bytes_argument(&mut self, argument: &Expr, size: usize) -> Result<Vec<u8>, Error> {
        let value = self.value(argument)?;
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

/// Returns the type of the characters that a value is an array of, or points to.
fn character_of(value: &Value) -> Option<TypeRef> {
    let element = array_parts(&value.ty).map(|(element, _)| element).or_else(|| pointer_target(&value.ty))?;
    (meaning::character_width(&element).is_some() || is_byte_character(&element)).then_some(element)
}

/// Returns whether a type is `unsigned char` or `signed char`, which are texts to GDB's functions.
fn is_byte_character(ty: &TypeRef) -> bool {
    let strip = strip(ty);
    matches!(&*strip, Type::Base { encoding, size: 1, .. }
        if matches!(encoding, crate::ctype::Encoding::SignedChar | crate::ctype::Encoding::UnsignedChar))
}

/// Returns code units as text: UTF-8 if they are bytes and that is what they are, each for itself otherwise.
fn readable(units: &[u32]) -> String {
    let bytes: Option<Vec<u8>> = units.iter().map(|unit| u8::try_from(*unit).ok()).collect();
    match bytes.map(String::from_utf8) {
        Some(Ok(text)) => text,
        _ => units.iter().map(|unit| char::from_u32(*unit).unwrap_or(char::REPLACEMENT_CHARACTER)).collect(),
    }
}
