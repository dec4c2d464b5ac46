//! Breakpoints.

use super::*;

#[test]
fn a_breakpoint_at_one_address_is_flat() {
    let view = BreakpointView::from(BreakpointInfo { note: Some("asked 4, bound 5".to_owned()), ..breakpoint() });
    let expected = json!({
        "number": 1, "type": "breakpoint", "location": "t.c:4", "enabled": true, "verified": true, "hits": 0,
        "file": "t.c", "fullname": "/src/t.c", "line": 5, "address": "0x0000000000401136", "function": "add",
        "note": "asked 4, bound 5"
    });
    assert_eq!(json_of(&view).to_string(), expected.to_string());
    let text = "1 breakpoint t.c:4, 0 hits, 0x0000000000401136 in add at /src/t.c:5\n    note: asked 4, bound 5";
    assert_eq!(text_of(&view), text);
}

#[test]
fn breakpoints_of_every_kind_are_listed() {
    let many = BreakpointInfo {
        condition: Some("a > 1".to_owned()),
        temporary: true,
        ignore_count: 2,
        hits: 1,
        locations: vec![place(0x1000), place(0x2000)],
        ..breakpoint()
    };
    let pending =
        BreakpointInfo { number: 2, location: "plugin_init".to_owned(), locations: Vec::new(), ..breakpoint() };
    let watch = |number, access| BreakpointInfo {
        number,
        watch: Some(access),
        location: "total".to_owned(),
        locations: Vec::new(),
        ..breakpoint()
    };
    let list = vec![many, pending, watch(3, Access::Write), watch(4, Access::Read), watch(5, Access::Access)];
    let view = BreakpointsView::from(list);
    let at = |address: &str| json!({"address": address, "function": "add", "file": "t.c", "fullname": "/src/t.c", "line": 5});
    let expected = json!({"result": [
        {
            "number": 1, "type": "breakpoint", "location": "t.c:4", "enabled": true, "verified": true, "condition": "a > 1", "hits": 1,
            "file": "t.c", "fullname": "/src/t.c", "line": 5, "address": "0x0000000000001000", "function": "add",
            "temporary": true, "ignore_count": 2,
            "places": [at("0x0000000000001000"), at("0x0000000000002000")]
        },
        {"number": 2, "type": "breakpoint", "location": "plugin_init", "enabled": true, "verified": false, "hits": 0, "pending": true},
        {"number": 3, "type": "hw watchpoint", "location": "total", "enabled": true, "verified": true, "hits": 0},
        {"number": 4, "type": "read watchpoint", "location": "total", "enabled": true, "verified": true, "hits": 0},
        {"number": 5, "type": "acc watchpoint", "location": "total", "enabled": true, "verified": true, "hits": 0}
    ]});
    assert_eq!(json_of(&view), expected);
    let text = "\
1 breakpoint t.c:4, temporary, if a > 1, passes 2 more, 1 hit
    0x0000000000001000 in add at /src/t.c:5
    0x0000000000002000 in add at /src/t.c:5
2 breakpoint plugin_init, pending, 0 hits
3 hw watchpoint total, 0 hits
4 read watchpoint total, 0 hits
5 acc watchpoint total, 0 hits";
    assert_eq!(text_of(&view), text);
    assert_eq!(text_of(&BreakpointsView::from(Vec::new())), "no breakpoints or watchpoints");
}
