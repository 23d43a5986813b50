/// A user's mailbox, over IMAP.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mail/session.hpp"
#include "mail/settings.hpp"

struct mailimap;

namespace mail {

/// A message or its head, and its number in the inbox.
struct Fetched {
    std::uint32_t uid = 0;
    bool is_deleted = false;
    std::string source{};
};

/// A session with the mail store. The inbox is open.
class Mailbox {
  public:
    /// Throws a `Refusal` if the store doesn't let the user in.
    Mailbox(const Settings& settings, const Session& session);
    ~Mailbox();
    Mailbox(const Mailbox&) = delete;
    Mailbox& operator=(const Mailbox&) = delete;

    /// The numbers of all messages that aren't marked as deleted, rising.
    std::vector<std::uint32_t> shown();

    /// The heads of some messages, the largest number first.
    std::vector<Fetched> heads(const std::vector<std::uint32_t>& uids);

    /// A message, unless there is none of that number or it is marked as deleted.
    std::optional<Fetched> message(std::uint32_t uid);

    /// Marks a message as deleted; says whether it was shown before.
    bool mark_deleted(std::uint32_t uid);

    /// Puts a message into the folder of those that were sent; returns its number there.
    std::uint32_t keep_sent(const std::string& source);

  private:
    std::unique_ptr<mailimap, void (*)(mailimap*)> imap_;
};

}  // namespace mail
