#include "common/form.hpp"

#include <doctest/doctest.h>

#include <random>

#include "common/fault.hpp"

using common::Fault;
using common::Form;

namespace {

/// The value of the parameter `a`, or nothing if it is refused.
std::string read(const std::string& encoded, std::size_t most = 5) {
    try {
        return Form::decode(encoded).text("a", most);
    } catch (const Fault& fault) {
        CHECK(fault.status() == 400);
        CHECK(std::string_view(fault.what()) == "The parameter a is missing, repeated or malformed.");
        return {};
    }
}

std::string repeated(std::string_view text, int times) {
    std::string all;
    for (int time = 0; time < times; ++time) {
        all += text;
    }
    return all;
}

}  // namespace

TEST_CASE("values are taken as they are meant, and broken escapes as they stand") {
    CHECK(read("a=1") == "1");
    CHECK(read("&&b=2&a=x+%41%c3%A4&") == "x Aä");
    CHECK(read("%61=x=y") == "x=y");
    CHECK(read("a=1&a=2") == "1");
    CHECK(read("a=%") == "%");
    CHECK(read("a=%4") == "%4");
    CHECK(read("a=%zz") == "%zz");
    CHECK(read("a=%+1") == "% 1");
    CHECK(read("a=%2541") == "%41");
}

TEST_CASE("a value that is missing, empty, too long or no text is refused") {
    for (const std::string encoded :
         {"", "b=1", "a", "a=", "a=%00", "a=x%00", "a=%80", "a=%C0%AF", "a=%ED%A0%80", "a=%E2%82",
          "a=%F4%90%80%80", "a=%FF", "a=123456", "A=1"}) {
        CAPTURE(encoded);
        CHECK(read(encoded).empty());
    }
}

TEST_CASE("lengths are in code points") {
    CHECK(read("a=" + repeated("%F0%9F%98%80", 5)) == repeated("😀", 5));
    CHECK(read("a=" + repeated("%C3%A4", 6)).empty());
}

TEST_CASE("an address contains an @") {
    CHECK(Form::decode("a=%40").email("a", 5) == "@");
    CHECK_THROWS_AS(Form::decode("a=b").email("a", 5), Fault);
}

TEST_CASE("whatever is sent is read or refused") {
    std::mt19937 random{1};
    const std::string_view likely = "a=&%+04cCfF\xC3\xA4";
    for (int round = 0; round < 20000; ++round) {
        std::string encoded;
        while (random() % 12 != 0) {
            encoded += random() % 8 == 0 ? static_cast<char>(random()) : likely[random() % likely.size()];
        }
        CHECK(read(encoded).size() <= 5 * 4);
    }
}
