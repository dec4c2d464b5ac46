//! Fields that are left out of an answer because they have nothing to say.
//!
//! Whatever is `null` is left out where the answer is made ([`structured`]); a field that is left out for another value
//! says so itself, with [`is_default`].

use serde::Serialize;
use serde_json::Value;

/// Fields of a recording that may be `null` in an answer, as they are in the original's. Where they are to be left out
/// all the same, the field says so.
pub(crate) const NULLABLE: [&str; 2] = ["trace_dir", "exit_code"];

/// Serializes an answer as JSON, without the fields that are `null`.
pub(crate) fn structured(answer: &impl Serialize) -> Result<Value, serde_json::Error> {
    let mut value = serde_json::to_value(answer)?;
    leave_out_null(&mut value);
    Ok(value)
}

fn leave_out_null(value: &mut Value) {
    match value {
        Value::Object(object) => {
            object.retain(|name, value| !value.is_null() || NULLABLE.contains(&name.as_str()));
            object.values_mut().for_each(leave_out_null);
        }
        Value::Array(list) => list.iter_mut().for_each(leave_out_null),
        _ => {}
    }
}

/// Returns whether a value is its type's default, as `false` and zero are, for `skip_serializing_if`.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_null_is_left_out_except_for_what_may_be() {
        let answer = json!({
            "job": null, "trace_dir": null, "frame": {"line": null, "level": 0},
            "result": [{"name": null, "exit_code": null}, null, false], "notes": []
        });
        let expected = json!({
            "trace_dir": null, "frame": {"level": 0}, "result": [{"exit_code": null}, null, false], "notes": []
        });
        assert_eq!(structured(&answer).unwrap(), expected);
    }
}
