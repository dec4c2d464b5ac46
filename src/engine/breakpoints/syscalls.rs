//! System calls by name: which there are, and what one may have meant that is none.

use std::collections::BTreeSet;

/// All of Linux on x86-64 (`asm/unistd_64.h` of Linux 6.17), in order.
const NAMES: &str = "\
    _sysctl accept accept4 access acct add_key adjtimex afs_syscall alarm arch_prctl bind bpf brk cachestat \
    capget capset chdir chmod chown chroot clock_adjtime clock_getres clock_gettime clock_nanosleep \
    clock_settime clone clone3 close close_range connect copy_file_range creat create_module delete_module dup \
    dup2 dup3 epoll_create epoll_create1 epoll_ctl epoll_ctl_old epoll_pwait epoll_pwait2 epoll_wait \
    epoll_wait_old eventfd eventfd2 execve execveat exit exit_group faccessat faccessat2 fadvise64 fallocate \
    fanotify_init fanotify_mark fchdir fchmod fchmodat fchmodat2 fchown fchownat fcntl fdatasync fgetxattr \
    file_getattr file_setattr finit_module flistxattr flock fork fremovexattr fsconfig fsetxattr fsmount fsopen \
    fspick fstat fstatfs fsync ftruncate futex futex_requeue futex_wait futex_waitv futex_wake futimesat \
    get_kernel_syms get_mempolicy get_robust_list get_thread_area getcpu getcwd getdents getdents64 getegid \
    geteuid getgid getgroups getitimer getpeername getpgid getpgrp getpid getpmsg getppid getpriority getrandom \
    getresgid getresuid getrlimit getrusage getsid getsockname getsockopt gettid gettimeofday getuid getxattr \
    getxattrat init_module inotify_add_watch inotify_init inotify_init1 inotify_rm_watch io_cancel io_destroy \
    io_getevents io_pgetevents io_setup io_submit io_uring_enter io_uring_register io_uring_setup ioctl ioperm \
    iopl ioprio_get ioprio_set kcmp kexec_file_load kexec_load keyctl kill landlock_add_rule \
    landlock_create_ruleset landlock_restrict_self lchown lgetxattr link linkat listen listmount listxattr \
    listxattrat llistxattr lookup_dcookie lremovexattr lseek lsetxattr lsm_get_self_attr lsm_list_modules \
    lsm_set_self_attr lstat madvise map_shadow_stack mbind membarrier memfd_create memfd_secret migrate_pages \
    mincore mkdir mkdirat mknod mknodat mlock mlock2 mlockall mmap modify_ldt mount mount_setattr move_mount \
    move_pages mprotect mq_getsetattr mq_notify mq_open mq_timedreceive mq_timedsend mq_unlink mremap mseal \
    msgctl msgget msgrcv msgsnd msync munlock munlockall munmap name_to_handle_at nanosleep newfstatat \
    nfsservctl open open_by_handle_at open_tree open_tree_attr openat openat2 pause perf_event_open personality \
    pidfd_getfd pidfd_open pidfd_send_signal pipe pipe2 pivot_root pkey_alloc pkey_free pkey_mprotect poll ppoll \
    prctl pread64 preadv preadv2 prlimit64 process_madvise process_mrelease process_vm_readv process_vm_writev \
    pselect6 ptrace putpmsg pwrite64 pwritev pwritev2 query_module quotactl quotactl_fd read readahead readlink \
    readlinkat readv reboot recvfrom recvmmsg recvmsg remap_file_pages removexattr removexattrat rename renameat \
    renameat2 request_key restart_syscall rmdir rseq rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo \
    rt_sigreturn rt_sigsuspend rt_sigtimedwait rt_tgsigqueueinfo sched_get_priority_max sched_get_priority_min \
    sched_getaffinity sched_getattr sched_getparam sched_getscheduler sched_rr_get_interval sched_setaffinity \
    sched_setattr sched_setparam sched_setscheduler sched_yield seccomp security select semctl semget semop \
    semtimedop sendfile sendmmsg sendmsg sendto set_mempolicy set_mempolicy_home_node set_robust_list \
    set_thread_area set_tid_address setdomainname setfsgid setfsuid setgid setgroups sethostname setitimer setns \
    setpgid setpriority setregid setresgid setresuid setreuid setrlimit setsid setsockopt settimeofday setuid \
    setxattr setxattrat shmat shmctl shmdt shmget shutdown sigaltstack signalfd signalfd4 socket socketpair \
    splice stat statfs statmount statx swapoff swapon symlink symlinkat sync sync_file_range syncfs sysfs \
    sysinfo syslog tee tgkill time timer_create timer_delete timer_getoverrun timer_gettime timer_settime \
    timerfd_create timerfd_gettime timerfd_settime times tkill truncate tuxcall umask umount2 uname unlink \
    unlinkat unshare uretprobe uselib userfaultfd ustat utime utimensat utimes vfork vhangup vmsplice vserver \
    wait4 waitid write writev";

/// Most names that are told for one that is none.
const MOST: usize = 5;

/// Returns whether there is a system call of this name, or of one that the C library may have for it: `__read`,
/// `open64`.
pub(in crate::engine) fn is_known(name: &str) -> bool {
    let name = name.trim_start_matches("__libc_").trim_start_matches('_');
    NAMES.split(' ').any(|known| known == name || name.strip_suffix("64") == Some(known))
}

/// Returns the names that may have been meant, the nearest first: those with a few letters more, less, changed or
/// exchanged, then those that begin so.
pub(in crate::engine) fn near(name: &str) -> Vec<&'static str> {
    let lower = name.to_ascii_lowercase();
    let reach = lower.len().div_ceil(3).min(3);
    let similar = NAMES.split(' ').filter(|known| known.len().abs_diff(lower.len()) <= reach);
    let misspelt = similar.map(|known| (distance(&lower, known), known));
    let found: BTreeSet<_> = misspelt.filter(|(distance, _)| *distance <= reach).collect();
    let longer = NAMES.split(' ').filter(|known| lower.len() >= 3 && known.starts_with(&lower));
    let mut near: Vec<_> = found.into_iter().map(|(_, known)| known).collect();
    near.extend(longer.filter(|known| !near.contains(known)).collect::<Vec<_>>());
    near.truncate(MOST);
    near
}

/// Returns how many letters are more, less, changed, or exchanged with their neighbour (optimal string alignment).
fn distance(one: &str, other: &str) -> usize {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in other.iter().enumerate() {
            let mut least = (last[j] + usize::from(a != b)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *a == other[j - 1] && one[i - 1] == *b {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_misspelt_has_neighbours() {
        assert!(is_known("openat") && is_known("read") && !is_known("opne") && !is_known(""));
        assert!(["fchmodat2", "cachestat", "mseal", "file_setattr"].into_iter().all(is_known));
        assert!(near(&"x".repeat(1 << 24)).is_empty());
        for (name, meant) in [
            ("opne", ["open"].as_slice()),
            ("raed", &["read", "readv", "rseq"]),
            ("Wirte", &["write", "writev"]),
            ("exit_g", &["exit", "exit_group"]),
            ("zzz", &[]),
        ] {
            assert_eq!(near(name), meant, "{name}");
        }
    }
}
