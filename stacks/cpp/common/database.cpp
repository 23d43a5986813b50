#include "common/database.hpp"

#include <dlfcn.h>
#include <poll.h>

#include <algorithm>

#include "common/environment.hpp"

namespace common {

namespace {

/// Whether the other end is still there. A database says nothing unasked but goodbye, be it in words or by
/// closing.
bool is_alive(const Connection& connection) {
    pollfd socket{connection.socket(), POLLIN | POLLRDHUP, 0};
    return poll(&socket, 1, 0) == 0;
}

/// What the driver's module exports. The module stays loaded.
using Driver = Connection*();

Driver* load_driver(const std::string& service) {
    const std::string module = "database-" + service + ".so";
    void* library = dlopen(module.c_str(), RTLD_NOW);
    void* entry = library == nullptr ? nullptr : dlsym(library, "open_connection");
    if (entry == nullptr) {
        throw DatabaseError("there is no driver for " + service + ": " + dlerror());
    }
    return reinterpret_cast<Driver*>(entry);
}

}  // namespace

const std::string& Rows::text(std::size_t row, std::string_view column) const {
    const auto found = std::find(columns_.begin(), columns_.end(), column);
    if (found == columns_.end()) {
        throw DatabaseError("the column " + std::string(column) + " was not read");
    }
    const auto at = static_cast<std::size_t>(found - columns_.begin());
    return cells_.at(row * columns_.size() + at);
}

template <typename Work>
auto Database::with_connection(Work work) {
    if (connection_ == nullptr || !is_alive(*connection_)) {
        connection_.reset();
        connection_ = connect_();
    }
    try {
        return work(*connection_);
    } catch (...) {
        connection_.reset();
        throw;
    }
}

Rows Database::query(std::string_view statement, Values values) {
    return with_connection([&](Connection& connection) { return connection.query(statement, values); });
}

std::int64_t Database::insert(std::string_view statement, Values values) {
    return with_connection([&](Connection& connection) { return connection.insert(statement, values); });
}

std::unique_ptr<Connection> connect() {
    static Driver* const open_connection = load_driver(environment("TIERBENCH_DB_SERVICE"));
    return std::unique_ptr<Connection>(open_connection());
}

}  // namespace common
