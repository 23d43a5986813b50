#include "mail/mailbox.hpp"

#include <libetpan/libetpan.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <stdexcept>

#include "mail/refusal.hpp"

namespace mail {

namespace {

constexpr const char* inbox = "INBOX";
constexpr const char* sent = "Sent";

void expect(int result, const char* what) {
    if (result != MAILIMAP_NO_ERROR) {
        throw std::runtime_error(std::string("the mail store, ") + what + ": error " +
                                 std::to_string(result));
    }
}

using Set = std::unique_ptr<mailimap_set, decltype(&mailimap_set_free)>;
using FetchType = std::unique_ptr<mailimap_fetch_type, decltype(&mailimap_fetch_type_free)>;

Set set_of(const std::vector<std::uint32_t>& uids) {
    Set set{mailimap_set_new_empty(), mailimap_set_free};
    for (const std::uint32_t uid : uids) {
        mailimap_set_add_single(set.get(), uid);
    }
    return set;
}

void each(clist* list, const std::function<void(void*)>& look) {
    for (clistiter* at = list == nullptr ? nullptr : clist_begin(list); at != nullptr; at = clist_next(at)) {
        look(clist_content(at));
    }
}

/// What of a message is asked for, beside its number.
FetchType wanted(std::initializer_list<mailimap_fetch_att*> parts) {
    FetchType type{mailimap_fetch_type_new_fetch_att_list_empty(), mailimap_fetch_type_free};
    mailimap_fetch_type_new_fetch_att_list_add(type.get(), mailimap_fetch_att_new_uid());
    for (mailimap_fetch_att* part : parts) {
        mailimap_fetch_type_new_fetch_att_list_add(type.get(), part);
    }
    return type;
}

bool says_deleted(const mailimap_msg_att_dynamic* dynamic) {
    bool is_deleted = false;
    each(dynamic->att_list, [&](void* content) {
        const auto* flag = static_cast<mailimap_flag_fetch*>(content);
        is_deleted |=
            flag->fl_type == MAILIMAP_FLAG_FETCH_OTHER && flag->fl_flag->fl_type == MAILIMAP_FLAG_DELETED;
    });
    return is_deleted;
}

Fetched read(mailimap_msg_att* attributes) {
    Fetched fetched;
    each(attributes->att_list, [&](void* content) {
        const auto* item = static_cast<mailimap_msg_att_item*>(content);
        if (item->att_type == MAILIMAP_MSG_ATT_ITEM_DYNAMIC) {
            fetched.is_deleted = says_deleted(item->att_data.att_dyn);
            return;
        }
        const mailimap_msg_att_static* part = item->att_data.att_static;
        if (part->att_type == MAILIMAP_MSG_ATT_UID) {
            fetched.uid = part->att_data.att_uid;
        } else if (part->att_type == MAILIMAP_MSG_ATT_BODY_SECTION) {
            const mailimap_msg_att_body_section* section = part->att_data.att_body_section;
            fetched.source.assign(section->sec_body_part, section->sec_length);
        }
    });
    return fetched;
}

std::vector<Fetched> fetch(mailimap* imap, const std::vector<std::uint32_t>& uids, const FetchType& what) {
    std::vector<Fetched> all;
    if (uids.empty()) {
        return all;
    }
    clist* answer = nullptr;
    expect(mailimap_uid_fetch(imap, set_of(uids).get(), what.get(), &answer), "asked for messages");
    each(answer, [&](void* content) { all.push_back(read(static_cast<mailimap_msg_att*>(content))); });
    mailimap_fetch_list_free(answer);
    return all;
}

/// The library has a short form for other keys only.
mailimap_search_key* undeleted() {
    return mailimap_search_key_new(MAILIMAP_SEARCH_KEY_UNDELETED, nullptr, nullptr, nullptr, nullptr, nullptr,
                                   nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                   nullptr, 0, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 0,
                                   nullptr, nullptr, nullptr);
}

clist* header_names(std::initializer_list<const char*> names) {
    clist* list = clist_new();
    for (const char* name : names) {
        clist_append(list, strdup(name));
    }
    return list;
}

}  // namespace

Mailbox::Mailbox(const Settings& settings, const Session& session)
    : imap_(mailimap_new(0, nullptr), mailimap_free) {
    const int connected =
        mailimap_socket_connect(imap_.get(), settings.imap.host.c_str(), settings.imap.port);
    if (connected != MAILIMAP_NO_ERROR_NON_AUTHENTICATED) {
        expect(connected, "connecting");
    }
    const int let_in = mailimap_login(imap_.get(), session.nickname.c_str(), session.password.c_str());
    if (let_in == MAILIMAP_ERROR_LOGIN) {
        throw Refusal::not_logged_in();
    }
    expect(let_in, "logging in");
    expect(mailimap_select(imap_.get(), inbox), "opening the inbox");
}

Mailbox::~Mailbox() {
    mailimap_logout(imap_.get());
}

std::vector<std::uint32_t> Mailbox::shown() {
    const std::unique_ptr<mailimap_search_key, decltype(&mailimap_search_key_free)> key{
        undeleted(), mailimap_search_key_free};
    clist* answer = nullptr;
    expect(mailimap_uid_search(imap_.get(), nullptr, key.get(), &answer), "asked what there is");
    std::vector<std::uint32_t> uids;
    each(answer, [&](void* content) { uids.push_back(*static_cast<std::uint32_t*>(content)); });
    mailimap_search_result_free(answer);
    std::sort(uids.begin(), uids.end());
    return uids;
}

std::vector<Fetched> Mailbox::heads(const std::vector<std::uint32_t>& uids) {
    mailimap_section* const section = mailimap_section_new_header_fields(
        mailimap_header_list_new(header_names({"From", "To", "Subject", "Date"})));
    std::vector<Fetched> all =
        fetch(imap_.get(), uids, wanted({mailimap_fetch_att_new_body_peek_section(section)}));
    std::sort(all.begin(), all.end(),
              [](const Fetched& one, const Fetched& other) { return one.uid > other.uid; });
    return all;
}

std::optional<Fetched> Mailbox::message(std::uint32_t uid) {
    mailimap_fetch_att* const whole = mailimap_fetch_att_new_body_peek_section(mailimap_section_new(nullptr));
    std::vector<Fetched> found = fetch(imap_.get(), {uid}, wanted({mailimap_fetch_att_new_flags(), whole}));
    const bool is_shown = !found.empty() && !found.front().is_deleted;
    return is_shown ? std::optional(std::move(found.front())) : std::nullopt;
}

bool Mailbox::mark_deleted(std::uint32_t uid) {
    const std::vector<Fetched> found = fetch(imap_.get(), {uid}, wanted({mailimap_fetch_att_new_flags()}));
    if (found.empty() || found.front().is_deleted) {
        return false;
    }
    mailimap_flag_list* const flags = mailimap_flag_list_new_empty();
    mailimap_flag_list_add(flags, mailimap_flag_new_deleted());
    const std::unique_ptr<mailimap_store_att_flags, decltype(&mailimap_store_att_flags_free)> change{
        mailimap_store_att_flags_new_add_flags_silent(flags), mailimap_store_att_flags_free};
    expect(mailimap_uid_store(imap_.get(), set_of({uid}).get(), change.get()), "deleting a message");
    return true;
}

std::uint32_t Mailbox::keep_sent(const std::string& source) {
    std::uint32_t validity = 0;
    std::uint32_t uid = 0;
    expect(mailimap_uidplus_append(imap_.get(), sent, nullptr, nullptr, source.data(), source.size(),
                                   &validity, &uid),
           "keeping what is sent");
    return uid;
}

}  // namespace mail
