//! Whom the network believes: who may vouch for a server, and why one was not believed.

use rustls::CertificateError::{
    Expired, ExpiredContext, NotValidForName, NotValidForNameContext, NotValidYet,
    NotValidYetContext, UnknownIssuer,
};
use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use std::error::Error;

/// The authorities that everybody trusts, and those of a PEM file.
pub(super) fn roots(authority: Option<&[u8]>) -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::from_iter(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    let Some(pem) = authority else {
        return Ok(roots);
    };
    let before = roots.len();
    for certificate in CertificateDer::pem_slice_iter(pem) {
        let cannot = |error: &dyn Error| format!("a certificate that cannot be used: {error}");
        let certificate = certificate.map_err(|error| cannot(&error))?;
        roots.add(certificate).map_err(|error| cannot(&error))?;
    }
    if roots.len() == before {
        return Err(
            "no certificate in PEM (it begins with -----BEGIN CERTIFICATE-----)".to_owned(),
        );
    }
    Ok(roots)
}

/// Why a server's certificate was not believed; `None`: something else went wrong.
pub(super) fn no_trust(error: &(dyn Error + 'static)) -> Option<String> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(rustls::Error::InvalidCertificate(why)) = error.downcast_ref() {
            return Some(match why {
                UnknownIssuer => {
                    "nobody that is trusted vouches for its certificate; an authority of your own stands under the address as `ca: FILE.pem`".to_owned()
                }
                NotValidForName | NotValidForNameContext { .. } => {
                    "its certificate is for another name".to_owned()
                }
                Expired | ExpiredContext { .. } => "its certificate has expired".to_owned(),
                NotValidYet | NotValidYetContext { .. } => {
                    "its certificate is not valid yet; is this machine's clock right?".to_owned()
                }
                other => format!("its certificate is no good ({other})"),
            });
        }
        // What an I/O error wraps is not its source.
        let wrapped = error.downcast_ref::<std::io::Error>();
        next = match wrapped.and_then(std::io::Error::get_ref) {
            Some(inner) => Some(inner),
            None => error.source(),
        };
    }
    None
}
