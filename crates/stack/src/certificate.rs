//! TLS certificates of a run: an authority and one certificate, made for each site and deleted with it.

use fs_err::{self as fs, os::unix::fs::OpenOptionsExt};
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DistinguishedName, DnType, ExtendedKeyUsagePurpose,
    IsCa, KeyPair, KeyUsagePurpose, PKCS_ECDSA_P256_SHA256,
};
use rustls_pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject};
use services::TlsFiles;
use std::{
    io::{self, Write},
    net::IpAddr,
    path::Path,
};

/// Permissions of a private key: its owner's alone.
const PRIVATE: u32 = 0o600;

/// The certificate of a site's servers, and of the authority that clients trust.
#[derive(Debug, Clone)]
pub(crate) struct Certificate {
    pub files: TlsFiles,
    pub authority: CertificateDer<'static>,
}

impl Certificate {
    /// Makes a certificate for servers at these addresses, in the new folder `folder`. Elliptic curve P-256, as on
    /// most of today's sites.
    pub fn make(folder: &Path, addresses: &[IpAddr]) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let mut names: Vec<String> = addresses.iter().map(ToString::to_string).collect();
        names.push("localhost".to_owned());
        names.sort();
        names.dedup();
        let authority = authority().map_err(io::Error::other)?;
        let key = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256).map_err(io::Error::other)?;
        let certificate = server(names).and_then(|server| server.signed_by(&key, &authority));
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
        fs::write(&files.authority, authority.pem())?;
        Ok(Self { files, authority: authority.der().clone() })
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

fn server(names: Vec<String>) -> Result<CertificateParams, rcgen::Error> {
    let mut parameters = CertificateParams::new(names)?;
    parameters.distinguished_name = named("tierbench site");
    parameters.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    parameters.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    Ok(parameters)
}
