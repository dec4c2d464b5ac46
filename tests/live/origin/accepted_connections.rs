//! Connections that were accepted: which client's they are, told by ports or by their order; and where it cannot be told, why.

use crate::support::fixtures::{built_from, scratch};
use crate::support::mcp::Server;
use crate::support::recordings::record;
use serde_json::{Value, json};

/// A server whose clients connect without waiting, after attempts that fail; each number says whose it is. The last client is
/// not seen to connect.
const SERVED: &str = "#define _GNU_SOURCE
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
long received[3], answered[2]; pid_t pids[3]; in_port_t ports[3];
void served(void) {}
static struct sockaddr_in at(in_port_t port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = port, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    return address;
}
static int listening(struct sockaddr_in *address) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    socklen_t length = sizeof *address;
    *address = at(0);
    if (bind(fd, (struct sockaddr *)address, length) || listen(fd, 8)) _exit(1);
    getsockname(fd, (struct sockaddr *)address, &length);
    return fd;
}
static void client(long number, struct sockaddr_in to, int back) {
    struct sockaddr_in nobody = at(htons(1)), own;
    socklen_t length = sizeof own;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(fd, (struct sockaddr *)&nobody, sizeof nobody) == 0) _exit(2);
    close(fd);
    fd = socket(AF_INET, SOCK_STREAM | (number < 2 ? SOCK_NONBLOCK : 0), 0);
    int failed = number < 2 ? connect(fd, (struct sockaddr *)&to, sizeof to) : syscall(SYS_connect, fd, &to, sizeof to);
    struct pollfd ready = {fd, POLLOUT, 0};
    if (failed && poll(&ready, 1, 10000) != 1) _exit(3);
    fcntl(fd, F_SETFL, 0);
    getsockname(fd, (struct sockaddr *)&own, &length);
    long sent[2] = {number * 1000 + 7, own.sin_port}, answer;
    if (write(fd, sent, 8) != 8 || read(fd, &answer, 8) != 8 || write(back, &answer, 8) != 8) _exit(4);
    _exit(0);
}
int main(void) {
    struct sockaddr_in first, second, from;
    int one = listening(&first), other = listening(&second), back[2];
    if (pipe(back)) return 1;
    for (long number = 0; number < 2; number++) if ((pids[number] = fork()) == 0) client(number, first, back[1]);
    for (int i = 0; i < 2; i++) {
        socklen_t length = sizeof from;
        int fd = accept(one, (struct sockaddr *)&from, &length);
        long value, answer;
        if (read(fd, &value, 8) != 8) return 2;
        received[value / 1000] = value;
        answer = value + 3;
        if (write(fd, &answer, 8) != 8) return 3;
        if (read(back[0], &value, 8) != 8) return 4;
        answered[value / 1000] = value;
    }
    if ((pids[2] = fork()) == 0) client(2, second, back[1]);
    int fd = accept4(other, 0, 0, SOCK_CLOEXEC);
    if (read(fd, received + 2, 8) != 8 || write(fd, received + 2, 8) != 8) return 5;
    served();
    while (wait(0) > 0) {}
    return 0;
}
";

#[test]
fn a_server_finds_the_client_that_sent_it() {
    let program = built_from("served", SERVED, &["-g", "-O0"]);
    let server = Server::start();
    server.replay(&record(&program, &[], scratch()).trace);
    server.run_to("served");
    let hops = |expression: &str| -> Vec<Value> {
        let origin = server.call("rr_origin", json!({"expression": expression, "through_arithmetic": true}));
        origin["rows"].as_array().unwrap_or_else(|| panic!("{origin}")).clone()
    };
    for number in 0..2 {
        let value = server.evaluate(&format!("received[{number}]"));
        assert_eq!(value, (number * 1000 + 7).to_string());
        let pid = server.evaluate(&format!("pids[{number}]"));
        let received = hops(&format!("received[{number}]"));
        let sent = received.iter().find(|hop| hop["kind"] == "sent").unwrap_or_else(|| panic!("{received:?}"));
        let expected = format!("a socket: sent[0] of process {pid}, bytes 0 on of 8 that write wrote");
        assert!(sent["from"].as_str().unwrap().contains(&expected), "{sent}\n{expected}");
        // There, to the server's answer, and to what it was asked.
        let answered = hops(&format!("answered[{number}]"));
        let from: Vec<&str> =
            answered.iter().filter(|hop| hop["kind"] == "sent").filter_map(|hop| hop["from"].as_str()).collect();
        assert_eq!(from.len(), 3, "{answered:?}");
        assert!(from[0].contains(&format!("a pipe: answer of process {pid}, ")), "{from:?}");
        assert!(from[1].contains("a socket: answer of process "), "{from:?}");
        assert!(from[2].contains(&expected), "{from:?}");
    }
    let strange = hops("received[2]");
    assert_eq!((strange.len(), &strange[0]["kind"]), (1, &json!("input")), "{strange:?}");
    let remark = strange[0]["remarks"][0].as_str().unwrap_or_else(|| panic!("{strange:?}"));
    assert!(remark.starts_with("who wrote it to the socket is not certain: of the connections to port "), "{remark}");
    assert!(remark.contains(", 1 were accepted and 0 made by processes of the recording"), "{remark}");
}
