#include "mail/session.hpp"

#include <doctest/doctest.h>

TEST_CASE("a session is read by its key alone, and unaltered") {
    const std::string locked = mail::lock({"ada", "pass:word"}, "secret");
    CHECK(locked.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") ==
          std::string::npos);
    const auto session = mail::unlock(locked, "secret");
    REQUIRE(session);
    CHECK(session->nickname == "ada");
    CHECK(session->password == "pass:word");
    CHECK_FALSE(mail::unlock(locked, "guess"));
    for (std::size_t at = 0; at < locked.size(); ++at) {
        std::string altered = locked;
        altered[at] = altered[at] == 'A' ? 'B' : 'A';
        CHECK_FALSE(mail::unlock(altered, "secret"));
    }
    for (const std::string& wrong :
         {std::string(), std::string("AAAA"), locked + "A", locked + "=", locked.substr(1)}) {
        CHECK_FALSE(mail::unlock(wrong, "secret"));
    }
}

TEST_CASE("two sessions of the same user differ") {
    CHECK(mail::lock({"ada", "secret"}, "key") != mail::lock({"ada", "secret"}, "key"));
}
