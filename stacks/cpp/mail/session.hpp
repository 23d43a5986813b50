/// What the site remembers of a user, locked up in a cookie that it alone can read.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mail {

/// As whom a user is logged in.
struct Session {
    std::string nickname;
    std::string password;
};

/// The session as a cookie's value: `expires:nickname:password` in AES-256-GCM with the SHA-256 of the run's
/// key; nonce, ciphertext and tag are written in URL-safe base64 without padding.
std::string lock(const Session& session, const std::string& key);

/// The session that was locked up, unless it is forged, altered or expired.
std::optional<Session> unlock(std::string_view cookie, const std::string& key);

}  // namespace mail
