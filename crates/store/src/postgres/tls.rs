//! Encrypted connections, by rustls.

use std::future::Future;
use std::io;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use parlor_core::files::reading::{MAX_TEXT, read_regular};
use postgres::Socket;
use postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_rustls::TlsConnector;

/// How a server proves who it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Tls {
    /// It need not: the connection is encrypted if the server can, as `sslmode=prefer` and `require` of other programs.
    Unverified,
    /// By a certificate for its name, signed by one of this file; by default, of the system's.
    Verified(Option<PathBuf>),
}

/// Where systems keep the certificates that they trust.
const SYSTEM: [&str; 3] =
    ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"];

/// Returns what makes encrypted connections.
pub(crate) fn connector(tls: &Tls) -> io::Result<Connector> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?;
    let config = match tls {
        Tls::Unverified => builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(AnyServer(provider)))
            .with_no_client_auth(),
        Tls::Verified(file) => builder.with_root_certificates(roots(file.as_deref())?).with_no_client_auth(),
    };
    Ok(Connector { config: Arc::new(config) })
}

/// Reads the certificates that a server's must be signed by.
fn roots(file: Option<&Path>) -> io::Result<RootCertStore> {
    let wrong = |path: &Path, error: String| io::Error::other(format!("{}: {error}", path.display()));
    let path = match file {
        Some(file) => file.to_owned(),
        None => {
            let variable = std::env::var_os("SSL_CERT_FILE").map(PathBuf::from);
            let system = || SYSTEM.iter().map(PathBuf::from).find(|path| path.exists());
            variable.or_else(system).ok_or_else(|| {
                io::Error::other("this system has no file of certificates; name one with sslrootcert=FILE")
            })?
        }
    };
    let bytes = read_regular(&path, MAX_TEXT).map_err(|error| wrong(&path, error.to_string()))?;
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(&bytes) {
        let certificate = certificate.map_err(|error| wrong(&path, error.to_string()))?;
        // Systems have some that rustls does not read.
        let added = roots.add(certificate);
        if file.is_some() {
            added.map_err(|error| wrong(&path, error.to_string()))?;
        }
    }
    if roots.is_empty() {
        return Err(wrong(&path, "there is no certificate in it".to_owned()));
    }
    Ok(roots)
}

/// Accepts every server.
#[derive(Debug)]
struct AnyServer(Arc<CryptoProvider>);

impl ServerCertVerifier for AnyServer {
    fn verify_server_cert(
        &self,
        _end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, cert, dss, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, cert, dss, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

/// Makes encrypted connections.
#[derive(Clone)]
pub(crate) struct Connector {
    config: Arc<ClientConfig>,
}

impl MakeTlsConnect<Socket> for Connector {
    type Stream = Encrypted;
    type TlsConnect = ToServer;
    type Error = io::Error;

    fn make_tls_connect(&mut self, domain: &str) -> io::Result<ToServer> {
        let server = ServerName::try_from(domain.to_owned()).map_err(io::Error::other)?;
        Ok(ToServer { connector: TlsConnector::from(self.config.clone()), server })
    }
}

/// Makes one encrypted connection.
pub(crate) struct ToServer {
    connector: TlsConnector,
    server: ServerName<'static>,
}

impl TlsConnect<Socket> for ToServer {
    type Stream = Encrypted;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Encrypted>> + Send>>;

    fn connect(self, socket: Socket) -> Self::Future {
        Box::pin(async move { self.connector.connect(self.server, socket).await.map(Encrypted) })
    }
}

/// An encrypted connection.
pub(crate) struct Encrypted(tokio_rustls::client::TlsStream<Socket>);

impl TlsStream for Encrypted {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl AsyncRead for Encrypted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        to: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, to)
    }
}

impl AsyncWrite for Encrypted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        from: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, from)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
