//! TLS certificates of a run: an authority and one certificate, made for each site and deleted with it.

use fs_err::{self as fs, os::unix::fs::OpenOptionsExt};
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DistinguishedName, DnType, ExtendedKeyUsagePurpose,
    IsCa, KeyPair, KeyUsagePurpose, PKCS_ECDSA_P256_SHA256, date_time_ymd,
};
use rustls_pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject};
use services::TlsFiles;
use std::{
    fmt,
    io::{self, Write},
    net::IpAddr,
    path::Path,
    sync::Arc,
};

/// Permissions of a private key: its owner's alone.
const PRIVATE: u32 = 0o600;
/// The name of a server that no site has.
const ELSEWHERE: &str = "elsewhere.test";

/// The reason for which clients must refuse a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CertificateFault {
    Authority,
    Name,
    Expiry,
}

impl CertificateFault {
    pub const ALL: [Self; 3] = [Self::Authority, Self::Name, Self::Expiry];
}

impl fmt::Display for CertificateFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Authority => "whose certificate no trusted authority has signed",
            Self::Name => "whose certificate is for another name",
            Self::Expiry => "whose certificate has expired",
        })
    }
}

/// The certificate of a site's servers, and of the authority that clients trust.
#[derive(Debug, Clone)]
pub(crate) struct Certificate {
    pub files: TlsFiles,
    pub authority: CertificateDer<'static>,
    /// The names and addresses of the servers.
    names: Vec<String>,
    issuer: Arc<CertifiedIssuer<'static, KeyPair>>,
}

impl Certificate {
    /// Makes a certificate for servers at these addresses, in the new folder `folder`. Elliptic curve P-256, as on
    /// most of today's sites.
    pub fn make(folder: &Path, addresses: &[IpAddr]) -> io::Result<Self> {
        let mut names: Vec<String> = addresses.iter().map(ToString::to_string).collect();
        names.push("localhost".to_owned());
        names.sort();
        names.dedup();
        let authority = authority().map_err(io::Error::other)?;
        Self::write(folder, names, Arc::new(authority), None)
    }

    /// Makes another one for the same servers, which clients must refuse, in the new folder `folder`.
    pub fn faulty(&self, folder: &Path, fault: CertificateFault) -> io::Result<Self> {
        let issuer = match fault {
            CertificateFault::Authority => Arc::new(authority().map_err(io::Error::other)?),
            CertificateFault::Name | CertificateFault::Expiry => self.issuer.clone(),
        };
        Self::write(folder, self.names.clone(), issuer, Some(fault))
    }

    fn write(
        folder: &Path,
        names: Vec<String>,
        issuer: Arc<CertifiedIssuer<'static, KeyPair>>,
        fault: Option<CertificateFault>,
    ) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let key = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256).map_err(io::Error::other)?;
        let certificate = server(&names, fault).and_then(|server| server.signed_by(&key, &issuer));
        let certificate = certificate.map_err(io::Error::other)?;
        let files = TlsFiles {
            certificate: folder.join("server.pem"),
            key: folder.join("server.key"),
            authority: folder.join("authority.pem"),
        };
        fs::write(&files.certificate, certificate.pem())?;
        let mut private = fs::OpenOptions::new();
        private.write(true).create_new(true).mode(PRIVATE);
        private.open(&files.key)?.write_all(key.serialize_pem().as_bytes())?;
        fs::write(&files.authority, issuer.pem())?;
        Ok(Self { files, authority: issuer.der().clone(), names, issuer })
    }

    /// Lets tiers read it, and its private key, where they run as other users than the laboratory.
    pub fn share(&self) -> io::Result<()> {
        testbed::share_tree(self.files.key.parent().unwrap_or(&self.files.key))
    }

    /// The private key: each line of its file, and its bytes.
    pub fn private_key(&self) -> io::Result<Vec<Vec<u8>>> {
        let text = fs::read_to_string(&self.files.key)?;
        let lines = text.lines().filter(|line| !line.starts_with("-----"));
        let mut all: Vec<Vec<u8>> = lines.map(|line| line.as_bytes().to_vec()).collect();
        let key = PrivateKeyDer::from_pem_slice(text.as_bytes()).map_err(io::Error::other)?;
        all.push(key.secret_der().to_vec());
        Ok(all)
    }
}

fn named(name: &str) -> DistinguishedName {
    let mut names = DistinguishedName::new();
    names.push(DnType::CommonName, name);
    names
}

fn authority() -> Result<CertifiedIssuer<'static, KeyPair>, rcgen::Error> {
    let mut parameters = CertificateParams::default();
    parameters.distinguished_name = named("tierbench authority");
    parameters.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    parameters.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    CertifiedIssuer::self_signed(parameters, KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256)?)
}

fn server(names: &[String], fault: Option<CertificateFault>) -> Result<CertificateParams, rcgen::Error> {
    let names = match fault {
        Some(CertificateFault::Name) => vec![ELSEWHERE.to_owned()],
        _ => names.to_vec(),
    };
    let mut parameters = CertificateParams::new(names)?;
    if fault == Some(CertificateFault::Expiry) {
        parameters.not_before = date_time_ymd(2020, 1, 1);
        parameters.not_after = date_time_ymd(2021, 1, 1);
    }
    parameters.distinguished_name = named("tierbench site");
    parameters.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    parameters.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    Ok(parameters)
}
