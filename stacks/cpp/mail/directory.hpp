/// The directory of all people, over LDAP.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mail/session.hpp"
#include "mail/settings.hpp"

struct ldap;

namespace mail {

struct Person {
    std::int64_t number = 0;
    std::string nickname{};
    std::string firstname{};
    std::string lastname{};
    std::string address{};
};

/// A connection to the directory.
class Directory {
  public:
    explicit Directory(const Settings& settings);

    /// Whether the directory lets somebody in, as whom it is asked from then on.
    bool log_in(const Session& session);

    /// The person of this nickname, which has letters and digits only.
    std::optional<Person> find(const std::string& nickname);

    /// All whose last names begin with a letter, in the order of their names and numbers.
    std::vector<Person> whose_name_begins(char letter);

  private:
    std::vector<Person> search(const std::string& filter);

    std::unique_ptr<ldap, void (*)(ldap*)> connection_;
    std::string people_;
};

}  // namespace mail
