#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <vmime/platforms/posix/posixHandler.hpp>
#include <vmime/vmime.hpp>

int main(int count, char** arguments) {
    vmime::platform::setHandler<vmime::platforms::posix::posixHandler>();
    return doctest::Context(count, arguments).run();
}
