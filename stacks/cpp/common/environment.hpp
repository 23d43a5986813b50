/// What whoever runs this program has set in its environment.
#pragma once

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace common {

/// Throws where the variable is not set.
inline std::string environment(const char* name) {
    const char* value = std::getenv(name);
    if (value == nullptr) {
        throw std::runtime_error(std::string("the environment has no ") + name);
    }
    return value;
}

/// Where the application's database is, and as whom it is asked.
struct DatabaseAddress {
    std::string host = environment("TIERBENCH_DB_HOST");
    std::string port = environment("TIERBENCH_DB_PORT");
    std::string name = environment("TIERBENCH_DB_NAME");
    std::string user = environment("TIERBENCH_DB_USER");
    std::string password = environment("TIERBENCH_DB_PASSWORD");
};

}  // namespace common
