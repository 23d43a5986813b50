#include "mail/session.hpp"

#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <memory>
#include <stdexcept>

namespace mail {

namespace {

constexpr std::size_t nonce_length = 12;
constexpr std::size_t tag_length = 16;
/// For how many seconds a session is good.
constexpr std::int64_t life = 3600;

using Cipher = std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)>;
using Key = std::array<unsigned char, SHA256_DIGEST_LENGTH>;

const unsigned char* bytes(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

unsigned char* bytes(std::string& text) {
    return reinterpret_cast<unsigned char*>(text.data());
}

Key derive(const std::string& key) {
    Key derived{};
    SHA256(bytes(std::string_view(key)), key.size(), derived.data());
    return derived;
}

void expect(int result) {
    if (result != 1) {
        throw std::runtime_error("OpenSSL refuses to encrypt a session");
    }
}

std::string encode(std::string_view plain) {
    std::string text((plain.size() + 2) / 3 * 4 + 1, '\0');
    text.resize(
        static_cast<std::size_t>(EVP_EncodeBlock(bytes(text), bytes(plain), static_cast<int>(plain.size()))));
    std::replace(text.begin(), text.end(), '+', '-');
    std::replace(text.begin(), text.end(), '/', '_');
    text.erase(std::find(text.begin(), text.end(), '='), text.end());
    return text;
}

/// Empty where it is not what `encode` writes.
std::string decode(std::string_view encoded) {
    std::string text(encoded);
    const std::size_t padding = (4 - text.size() % 4) % 4;
    std::replace(text.begin(), text.end(), '-', '+');
    std::replace(text.begin(), text.end(), '_', '/');
    text.append(padding, '=');
    std::string plain(text.size() / 4 * 3, '\0');
    const int length =
        EVP_DecodeBlock(bytes(plain), bytes(std::string_view(text)), static_cast<int>(text.size()));
    if (length < static_cast<int>(padding)) {
        return {};
    }
    plain.resize(static_cast<std::size_t>(length) - padding);
    return encode(plain) == encoded ? plain : std::string{};
}

}  // namespace

std::string lock(const Session& session, const std::string& key) {
    const std::string plain =
        std::to_string(std::time(nullptr) + life) + ":" + session.nickname + ":" + session.password;
    std::string locked(nonce_length + plain.size() + tag_length, '\0');
    unsigned char* const nonce = bytes(locked);
    unsigned char* const text = nonce + nonce_length;
    expect(RAND_bytes(nonce, nonce_length));
    const Key derived = derive(key);
    const Cipher cipher{EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free};
    int length = 0;
    expect(EVP_EncryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, derived.data(), nonce));
    expect(EVP_EncryptUpdate(cipher.get(), text, &length, bytes(plain), static_cast<int>(plain.size())));
    expect(EVP_EncryptFinal_ex(cipher.get(), text + length, &length));
    expect(EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_GET_TAG, tag_length, text + plain.size()));
    return encode(locked);
}

std::optional<Session> unlock(std::string_view cookie, const std::string& key) {
    std::string locked = decode(cookie);
    if (locked.size() < nonce_length + tag_length) {
        return std::nullopt;
    }
    unsigned char* const text = bytes(locked) + nonce_length;
    std::string plain(locked.size() - nonce_length - tag_length, '\0');
    const Key derived = derive(key);
    const Cipher cipher{EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free};
    int length = 0;
    expect(EVP_DecryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, derived.data(), bytes(locked)));
    expect(EVP_DecryptUpdate(cipher.get(), bytes(plain), &length, text, static_cast<int>(plain.size())));
    expect(EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_SET_TAG, tag_length, text + plain.size()));
    if (EVP_DecryptFinal_ex(cipher.get(), bytes(plain) + length, &length) != 1) {
        return std::nullopt;
    }
    std::int64_t expires = 0;
    const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), expires);
    const std::size_t nickname = static_cast<std::size_t>(end - plain.data()) + 1;
    const std::size_t password = plain.find(':', std::min(nickname, plain.size()));
    if (error != std::errc{} || password == std::string::npos || std::time(nullptr) > expires) {
        return std::nullopt;
    }
    return Session{plain.substr(nickname, password - nickname), plain.substr(password + 1)};
}

}  // namespace mail
