//! GDB's convenience functions: `$_streq(name, "main")`, `$_strlen(line)`, `$_regex(path, "^/etc/")`,
//! `$_memeq(a, b, 16)`. They look at memory and call nothing of the program's.

use super::*;
use regex_lite::Regex;

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
                let length = self.text_argument(text, signature)?.len() as u128;
                Ok(Some(Value::from_number(Number::Integer(Integer::new(IntegerType::LONG, length)))))
            }
            ("_regex", [text, pattern]) => {
                let written = readable(&self.text_argument(pattern, signature)?);
                // As Python's `match`: at the beginning.
                let compiled = Regex::new(&format!("^(?:{written})"))
                    .map_err(|error| Error::new(&pattern.span, ErrorKind::Pattern(error.to_string())))?;
                let text = readable(&self.text_argument(text, signature)?);
                Ok(Some(self.truth_value(compiled.is_match(&text))))
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
        let value = self.value(argument)?;
        let value = self.referent(value, &argument.span)?;
        if self.unevaluated {
            return Ok(Vec::new());
        }
        if let Some(text) = self.text_of(&value, &argument.span)? {
            return Ok(text);
        }
        match pointer_target(&value.ty).and_then(|target| meaning::character_width(&target)) {
            Some(_) => {
                let address = self.pointer_bits(&value, &argument.span)?;
                Err(Error::new(&argument.span, ErrorKind::Unavailable(Unavailable::Memory(address))))
            }
            None => Err(self.wrong_operand(signature, &value.ty, "a text", &argument.span)),
        }
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
            (Some(_), None) => return value.read(self.env, 0, size).map_err(failed),
            (None, _) => self.address_operand(value, &argument.span)?,
        };
        let mut bytes = vec![0; size];
        self.env.read(address, &mut bytes).map_err(failed)?;
        Ok(bytes)
    }
}

/// Returns code units as text: UTF-8 if they are bytes and that is what they are, each for itself otherwise.
fn readable(units: &[u32]) -> String {
    let bytes: Option<Vec<u8>> = units.iter().map(|unit| u8::try_from(*unit).ok()).collect();
    match bytes.map(String::from_utf8) {
        Some(Ok(text)) => text,
        _ => units.iter().map(|unit| char::from_u32(*unit).unwrap_or(char::REPLACEMENT_CHARACTER)).collect(),
    }
}
