//! System calls by name: which there are, and what one may have meant that is none.

use base::qualified;

/// Those that do not come back.
pub(crate) const ENDS: [&str; 2] = ["exit", "exit_group"];

/// All of Linux on x86-64 (`asm/unistd_64.h` of Linux 6.17), by number: from 0 on, and from [`LATER`] on.
const NAMES: [&str; 2] = [
    "\
    read write open close stat fstat lstat poll lseek mmap mprotect munmap brk rt_sigaction rt_sigprocmask \
    rt_sigreturn ioctl pread64 pwrite64 readv writev access pipe select sched_yield mremap msync mincore \
    madvise shmget shmat shmctl dup dup2 pause nanosleep getitimer alarm setitimer getpid sendfile socket \
    connect accept sendto recvfrom sendmsg recvmsg shutdown bind listen getsockname getpeername socketpair \
    setsockopt getsockopt clone fork vfork execve exit wait4 kill uname semget semop semctl shmdt msgget \
    msgsnd msgrcv msgctl fcntl flock fsync fdatasync truncate ftruncate getdents getcwd chdir fchdir rename \
    mkdir rmdir creat link unlink symlink readlink chmod fchmod chown fchown lchown umask gettimeofday \
    getrlimit getrusage sysinfo times ptrace getuid syslog getgid setuid setgid geteuid getegid setpgid \
    getppid getpgrp setsid setreuid setregid getgroups setgroups setresuid getresuid setresgid getresgid \
    getpgid setfsuid setfsgid getsid capget capset rt_sigpending rt_sigtimedwait rt_sigqueueinfo \
    rt_sigsuspend sigaltstack utime mknod uselib personality ustat statfs fstatfs sysfs getpriority \
    setpriority sched_setparam sched_getparam sched_setscheduler sched_getscheduler sched_get_priority_max \
    sched_get_priority_min sched_rr_get_interval mlock munlock mlockall munlockall vhangup modify_ldt \
    pivot_root _sysctl prctl arch_prctl adjtimex setrlimit chroot sync acct settimeofday mount umount2 \
    swapon swapoff reboot sethostname setdomainname iopl ioperm create_module init_module delete_module \
    get_kernel_syms query_module quotactl nfsservctl getpmsg putpmsg afs_syscall tuxcall security gettid \
    readahead setxattr lsetxattr fsetxattr getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr \
    removexattr lremovexattr fremovexattr tkill time futex sched_setaffinity sched_getaffinity \
    set_thread_area io_setup io_destroy io_getevents io_submit io_cancel get_thread_area lookup_dcookie \
    epoll_create epoll_ctl_old epoll_wait_old remap_file_pages getdents64 set_tid_address restart_syscall \
    semtimedop fadvise64 timer_create timer_settime timer_gettime timer_getoverrun timer_delete \
    clock_settime clock_gettime clock_getres clock_nanosleep exit_group epoll_wait epoll_ctl tgkill utimes \
    vserver mbind set_mempolicy get_mempolicy mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify \
    mq_getsetattr kexec_load waitid add_key request_key keyctl ioprio_set ioprio_get inotify_init \
    inotify_add_watch inotify_rm_watch migrate_pages openat mkdirat mknodat fchownat futimesat newfstatat \
    unlinkat renameat linkat symlinkat readlinkat fchmodat faccessat pselect6 ppoll unshare set_robust_list \
    get_robust_list splice tee sync_file_range vmsplice move_pages utimensat epoll_pwait signalfd \
    timerfd_create eventfd fallocate timerfd_settime timerfd_gettime accept4 signalfd4 eventfd2 \
    epoll_create1 dup3 pipe2 inotify_init1 preadv pwritev rt_tgsigqueueinfo perf_event_open recvmmsg \
    fanotify_init fanotify_mark prlimit64 name_to_handle_at open_by_handle_at clock_adjtime syncfs sendmmsg \
    setns getcpu process_vm_readv process_vm_writev kcmp finit_module sched_setattr sched_getattr renameat2 \
    seccomp getrandom memfd_create kexec_file_load bpf execveat userfaultfd membarrier mlock2 \
    copy_file_range preadv2 pwritev2 pkey_mprotect pkey_alloc pkey_free statx io_pgetevents rseq uretprobe",
    "\
    pidfd_send_signal io_uring_setup io_uring_enter io_uring_register open_tree move_mount fsopen fsconfig \
    fsmount fspick pidfd_open clone3 close_range openat2 pidfd_getfd faccessat2 process_madvise epoll_pwait2 \
    mount_setattr quotactl_fd landlock_create_ruleset landlock_add_rule landlock_restrict_self memfd_secret \
    process_mrelease futex_waitv set_mempolicy_home_node cachestat fchmodat2 map_shadow_stack futex_wake \
    futex_wait futex_requeue statmount listmount lsm_get_self_attr lsm_set_self_attr lsm_list_modules mseal \
    setxattrat getxattrat listxattrat removexattrat open_tree_attr file_getattr file_setattr",
];
/// The number of the first of the second part; there are none between.
const LATER: u64 = 424;

/// Returns whether there is a system call of this name, or of one that the C library may have for it: `__read`,
/// `open64`.
pub(crate) fn is_known(name: &str) -> bool {
    let name = name.trim_start_matches("__libc_").trim_start_matches('_');
    all().any(|known| known == name || name.strip_suffix("64") == Some(known))
}

fn all() -> impl Iterator<Item = &'static str> {
    NAMES.iter().flat_map(|part| part.split(' '))
}

/// Returns the name of the system call of a number.
pub(crate) fn name_of(number: u64) -> Option<&'static str> {
    let [first, later] = NAMES;
    let of = |part: &'static str, index: u64| part.split(' ').nth(usize::try_from(index).ok()?);
    of(first, number).or_else(|| of(later, number.checked_sub(LATER)?))
}

/// Returns the number of a system call.
pub fn syscall_number(name: &str) -> Option<u64> {
    let place = |part: &str| part.split(' ').position(|known| known == name).and_then(|at| u64::try_from(at).ok());
    let [first, later] = NAMES;
    place(first).or_else(|| Some(place(later)? + LATER))
}

/// Returns the names that may have been meant, the nearest first.
pub(crate) fn near(name: &str) -> Vec<&'static str> {
    qualified::near(name, all())
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

    #[test]
    fn system_calls_have_numbers() {
        let named = [(0, "read"), (59, "execve"), (202, "futex"), (335, "uretprobe"), (424, "pidfd_send_signal")];
        for (number, name) in named.into_iter().chain([(449, "futex_waitv"), (469, "file_setattr")]) {
            assert_eq!(name_of(number), Some(name));
            assert_eq!(syscall_number(name), Some(number));
        }
        assert_eq!([336, 423, 470, u64::MAX].map(name_of), [None; 4]);
        assert_eq!(syscall_number("waitpid"), None);
    }
}
