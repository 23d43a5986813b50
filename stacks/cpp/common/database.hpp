/// The database, whichever it is. A driver is a module that is loaded when it is wanted, so that a CGI
/// process, which lives for one request, doesn't spend its time on linking the libraries of the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace common {

/// What the database, or the way to it, says.
class DatabaseError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The values of a statement, one for each of its question marks.
using Values = std::initializer_list<std::string_view>;

/// What a query has found. No column that we read can be NULL.
class Rows {
  public:
    explicit Rows(std::vector<std::string> columns) : columns_(std::move(columns)) {}

    /// Adds the next cell: rows from the first to the last, each from left to right.
    void add(std::string_view cell) { cells_.emplace_back(cell); }

    std::size_t size() const noexcept { return cells_.size() / columns_.size(); }

    /// Throws if there is no column of this name.
    const std::string& text(std::size_t row, std::string_view column) const;

  private:
    std::vector<std::string> columns_;
    std::vector<std::string> cells_;
};

/// A connection to a database. Statements are prepared by the server, once for each connection. After an
/// error it is not to be used any more.
class Connection {
  public:
    Connection() = default;
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    virtual ~Connection() = default;

    virtual Rows query(std::string_view statement, Values values) = 0;

    /// Inserts a row and returns the id that it was given.
    virtual std::int64_t insert(std::string_view statement, Values values) = 0;

    /// What the connection goes through.
    virtual int socket() const = 0;
};

/// How a connection is made, or a `DatabaseError` thrown.
using Connect = std::unique_ptr<Connection>();

/// The database over one connection, which is opened at the first statement and kept as long as this process
/// lives. One that is broken is replaced before it is used. A statement is never sent twice, because nobody
/// knows whether the first one was done.
class Database {
  public:
    explicit Database(Connect* connect) : connect_(connect) {}

    Rows query(std::string_view statement, Values values = {});

    /// Inserts a row and returns the id that it was given.
    std::int64_t insert(std::string_view statement, Values values);

  private:
    template <typename Work>
    auto with_connection(Work work);

    Connect* connect_;
    std::unique_ptr<Connection> connection_;
};

/// Connects to the database that the environment names, by the module of its driver.
std::unique_ptr<Connection> connect();

}  // namespace common
