//! Where connections come from: a TCP port, or a Unix socket that only this user may open.

use super::options::{HttpAddress, PATH};
use base::untrusted::PathText as _;
use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, FileTypeExt as _, MetadataExt as _, PermissionsExt as _};
use std::os::unix::net::UnixStream as StdUnixStream;
use std::path::{Path, PathBuf};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, UnixListener};

/// A connection.
pub(super) type Stream = Box<dyn Connection>;

/// What a connection can do.
pub(super) trait Connection: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Connection for S {}

/// What is listened at.
pub(super) enum Listener {
    Tcp(TcpListener),
    Unix(UnixListener, Socket),
}

/// The file of a socket, which is removed at the end.
pub(super) struct Socket {
    path: PathBuf,
    /// Device and number.
    file: Option<(u64, u64)>,
}

impl Socket {
    fn at(path: PathBuf) -> Self {
        let file = Self::identity(&path);
        Self { path, file }
    }

    fn identity(path: &Path) -> Option<(u64, u64)> {
        fs::symlink_metadata(path).ok().map(|file| (file.dev(), file.ino()))
    }
}

impl Listener {
    pub(super) async fn bind(address: &HttpAddress) -> io::Result<Self> {
        match address {
            HttpAddress::Tcp(address) => Ok(Self::Tcp(TcpListener::bind(address).await?)),
            HttpAddress::Unix(path) => {
                let path = std::path::absolute(path)?;
                let listener = bind_private(&path)
                    .map_err(|e| io::Error::new(e.kind(), format!("a Unix socket at `{}`: {e}", path.in_text())))?;
                Ok(Self::Unix(listener, Socket::at(path)))
            }
        }
    }

    /// Returns the address as clients name it.
    pub(super) fn shown(&self) -> io::Result<String> {
        Ok(match self {
            Self::Tcp(listener) => format!("http://{}{}", listener.local_addr()?, PATH),
            Self::Unix(_, Socket { path, .. }) => {
                format!("http://localhost{} on unix:{}", PATH, path.in_text())
            }
        })
    }

    /// Returns the TCP port.
    pub(super) fn port(&self) -> io::Result<Option<u16>> {
        Ok(match self {
            Self::Tcp(listener) => Some(listener.local_addr()?.port()),
            Self::Unix(..) => None,
        })
    }

    /// Waits for a connection.
    pub(super) async fn accept(&self, serve: impl FnOnce(Stream)) -> io::Result<()> {
        match self {
            Self::Tcp(listener) => serve(Box::new(listener.accept().await?.0)),
            Self::Unix(listener, _) => serve(Box::new(listener.accept().await?.0)),
        }
        Ok(())
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        // It may be gone already, and another server may listen at a socket of the same name.
        if self.file.is_some() && Self::identity(&self.path) == self.file {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Listens at a socket that nobody but this user can open, at no moment: it is made in a directory of this user's alone,
/// and gets its mode and then its name.
fn bind_private(path: &Path) -> io::Result<UnixListener> {
    match fs::symlink_metadata(path) {
        Ok(file) if !file.file_type().is_socket() => {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, "there is another file of that name"));
        }
        Ok(_) if StdUnixStream::connect(path).is_ok() => {
            return Err(io::Error::new(io::ErrorKind::AddrInUse, "another server listens there"));
        }
        _ => {}
    }
    // A short name: the path of a socket has 107 bytes at most.
    let private = path.with_file_name(format!(".rg{}", std::process::id()));
    DirBuilder::new().mode(0o700).create(&private)?;
    let inside = private.join("s");
    let bound = (|| {
        let listener = UnixListener::bind(&inside)?;
        fs::set_permissions(&inside, Permissions::from_mode(0o600))?;
        fs::rename(&inside, path)?;
        Ok(listener)
    })();
    // What is left of it after a failure; otherwise there is nothing in it any more.
    let _ = fs::remove_file(&inside);
    let _ = fs::remove_dir(&private);
    bound
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bind(path: &Path) -> io::Result<Listener> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(Listener::bind(&HttpAddress::Unix(path.to_owned())))
    }

    #[test]
    fn the_socket_of_another_server_stays() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("socket");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let first = Listener::bind(&HttpAddress::Unix(path.clone())).await.unwrap();
            fs::rename(&path, place.path().join("aside")).unwrap();
            let other = Listener::bind(&HttpAddress::Unix(path.clone())).await.unwrap();
            drop(first);
            assert!(fs::symlink_metadata(&path).is_ok());
            drop(other);
            assert!(fs::symlink_metadata(&path).is_err());
        });
    }

    #[test]
    fn a_socket_is_private_and_goes_with_its_listener() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("socket");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = Listener::bind(&HttpAddress::Unix(path.clone())).await.unwrap();
            let file = fs::symlink_metadata(&path).unwrap();
            assert!(file.file_type().is_socket());
            assert_eq!(file.permissions().mode() & 0o777, 0o600);
            assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
            let error = Listener::bind(&HttpAddress::Unix(path.clone())).await.err().unwrap();
            assert!(error.to_string().ends_with("another server listens there"), "{error}");
            drop(listener);
        });
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_a_dead_server_has_left_is_replaced_and_nothing_else() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("socket");
        drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
        assert!(bind(&path).is_ok());
        fs::write(&path, "text").unwrap();
        let error = bind(&path).err().unwrap();
        assert!(error.to_string().ends_with("there is another file of that name"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "text");
    }
}
