/// Messages as they come over the wire (RFC 5322, MIME), and what pages show of them.
#pragma once

#include <ctime>
#include <string>
#include <vector>

namespace mail {

/// What pages show of a message.
struct Message {
    std::string sender{};
    std::string recipient{};
    std::string subject{};
    std::time_t date = 0;
    /// The first part that is plain text, or else the source of the first that is HTML.
    std::string text{};
    /// A line for each: `notes.txt (text/plain, 1200 bytes)`.
    std::vector<std::string> attachments{};
};

/// Reads a message, or its head alone.
Message parse(const std::string& source);

/// Writes a message with the text as its only part.
std::string compose(const Message& message);

}  // namespace mail
