#include "mail/directory.hpp"

#include <ldap.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <tuple>

namespace mail {

namespace {

void expect(int result) {
    if (result != LDAP_SUCCESS) {
        throw std::runtime_error(std::string("the directory says: ") + ldap_err2string(result));
    }
}

ldap* connect(const Address& address) {
    const std::string place = "ldap://" + address.host + ":" + std::to_string(address.port);
    ldap* connection = nullptr;
    expect(ldap_initialize(&connection, place.c_str()));
    const int version = LDAP_VERSION3;
    ldap_set_option(connection, LDAP_OPT_PROTOCOL_VERSION, &version);
    return connection;
}

void close(ldap* connection) {
    ldap_unbind_ext_s(connection, nullptr, nullptr);
}

std::string value(ldap* connection, LDAPMessage* entry, const char* attribute) {
    const std::unique_ptr<berval*, decltype(&ldap_value_free_len)> values{
        ldap_get_values_len(connection, entry, attribute), ldap_value_free_len};
    if (!values || values.get()[0] == nullptr) {
        return {};
    }
    return {values.get()[0]->bv_val, values.get()[0]->bv_len};
}

}  // namespace

Directory::Directory(const Settings& settings)
    : connection_(connect(settings.ldap), close), people_(settings.people) {}

bool Directory::log_in(const Session& session) {
    const std::string name = "uid=" + session.nickname + "," + people_;
    std::string password = session.password;
    berval secret{password.size(), password.data()};
    const int result = ldap_sasl_bind_s(connection_.get(), name.c_str(), LDAP_SASL_SIMPLE, &secret, nullptr,
                                        nullptr, nullptr);
    if (result == LDAP_INVALID_CREDENTIALS) {
        return false;
    }
    expect(result);
    return true;
}

std::optional<Person> Directory::find(const std::string& nickname) {
    std::vector<Person> found = search("(uid=" + nickname + ")");
    return found.empty() ? std::nullopt : std::optional(found.front());
}

std::vector<Person> Directory::whose_name_begins(char letter) {
    std::vector<Person> found = search(std::string("(sn=") + letter + "*)");
    std::sort(found.begin(), found.end(), [](const Person& one, const Person& other) {
        return std::tie(one.lastname, one.number) < std::tie(other.lastname, other.number);
    });
    return found;
}

std::vector<Person> Directory::search(const std::string& filter) {
    std::array<std::string, 5> names{"employeeNumber", "uid", "givenName", "sn", "mail"};
    std::array<char*, 6> attributes{};
    std::transform(names.begin(), names.end(), attributes.begin(),
                   [](std::string& name) { return name.data(); });
    LDAPMessage* answer = nullptr;
    const int result =
        ldap_search_ext_s(connection_.get(), people_.c_str(), LDAP_SCOPE_ONELEVEL, filter.c_str(),
                          attributes.data(), 0, nullptr, nullptr, nullptr, LDAP_NO_LIMIT, &answer);
    const std::unique_ptr<LDAPMessage, decltype(&ldap_msgfree)> held{answer, ldap_msgfree};
    expect(result);
    std::vector<Person> found;
    ldap* const connection = connection_.get();
    for (LDAPMessage* entry = ldap_first_entry(connection, answer); entry != nullptr;
         entry = ldap_next_entry(connection, entry)) {
        found.push_back({
            .number = std::stoll("0" + value(connection, entry, "employeeNumber")),
            .nickname = value(connection, entry, "uid"),
            .firstname = value(connection, entry, "givenName"),
            .lastname = value(connection, entry, "sn"),
            .address = value(connection, entry, "mail"),
        });
    }
    return found;
}

}  // namespace mail
