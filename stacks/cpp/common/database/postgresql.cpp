/// The driver of PostgreSQL, over libpq.

#include <libpq-fe.h>

#include <array>
#include <map>

#include "common/database.hpp"
#include "common/environment.hpp"

namespace {

using common::Values;

struct Close {
    void operator()(PGconn* connection) const { PQfinish(connection); }
    void operator()(PGresult* result) const { PQclear(result); }
};

using Handle = std::unique_ptr<PGconn, Close>;
using Result = std::unique_ptr<PGresult, Close>;

/// PostgreSQL numbers its question marks: `$1`, `$2`, …
std::string numbered(std::string_view statement) {
    std::string text;
    int number = 0;
    for (const char character : statement) {
        text += character == '?' ? "$" + std::to_string(++number) : std::string(1, character);
    }
    return text;
}

PGconn* open() {
    const common::DatabaseAddress at;
    const std::array<std::array<const char*, 2>, 9> options{{
        {"host", at.host.c_str()},
        {"port", at.port.c_str()},
        {"dbname", at.name.c_str()},
        {"user", at.user.c_str()},
        {"password", at.password.c_str()},
        {"client_encoding", "UTF8"},
        {"connect_timeout", "10"},
        // The network between the tiers is private, so nobody has to ask whether it can be encrypted.
        {"sslmode", "disable"},
        {"gssencmode", "disable"},
    }};
    std::vector<const char*> keywords;
    std::vector<const char*> values;
    for (const auto& [keyword, value] : options) {
        keywords.push_back(keyword);
        values.push_back(value);
    }
    keywords.push_back(nullptr);
    values.push_back(nullptr);
    return PQconnectdbParams(keywords.data(), values.data(), 0);
}

class PostgreSql final : public common::Connection {
  public:
    PostgreSql() : handle_(open()) {
        if (PQstatus(handle_.get()) != CONNECTION_OK) {
            fail();
        }
    }

    common::Rows query(std::string_view statement, Values values) override {
        const Result result = execute(numbered(statement), values);
        const int columns = PQnfields(result.get());
        std::vector<std::string> names;
        for (int column = 0; column < columns; ++column) {
            names.emplace_back(PQfname(result.get(), column));
        }
        common::Rows rows{std::move(names)};
        for (int row = 0; row < PQntuples(result.get()); ++row) {
            for (int column = 0; column < columns; ++column) {
                rows.add(text(result, row, column));
            }
        }
        return rows;
    }

    std::int64_t insert(std::string_view statement, Values values) override {
        const Result result = execute(numbered(statement) + " RETURNING id", values);
        return std::stoll(std::string(text(result, 0, 0)));
    }

    int socket() const override { return PQsocket(handle_.get()); }

  private:
    static std::string_view text(const Result& result, int row, int column) {
        const auto length = static_cast<std::size_t>(PQgetlength(result.get(), row, column));
        return {PQgetvalue(result.get(), row, column), length};
    }

    /// All our statements return rows.
    Result execute(const std::string& statement, Values values) {
        std::vector<const char*> texts;
        // As text, whose end is marked by a NUL.
        const std::vector<std::string> copies(values.begin(), values.end());
        for (const std::string& value : copies) {
            texts.push_back(value.c_str());
        }
        const auto count = static_cast<int>(texts.size());
        const std::string& name = prepared(statement);
        Result result{PQexecPrepared(handle_.get(), name.c_str(), count, texts.data(), nullptr, nullptr, 0)};
        check(result, PGRES_TUPLES_OK);
        return result;
    }

    /// The name by which the server knows a statement.
    const std::string& prepared(const std::string& statement) {
        const auto [entry, is_new] = names_.emplace(statement, std::to_string(names_.size()));
        if (is_new) {
            const char* name = entry->second.c_str();
            const Result result{PQprepare(handle_.get(), name, statement.c_str(), 0, nullptr)};
            check(result, PGRES_COMMAND_OK);
        }
        return entry->second;
    }

    void check(const Result& result, ExecStatusType wanted) const {
        if (PQresultStatus(result.get()) != wanted) {
            fail();
        }
    }

    [[noreturn]] void fail() const { throw common::DatabaseError(PQerrorMessage(handle_.get())); }

    Handle handle_;
    std::map<std::string, std::string, std::less<>> names_;
};

}  // namespace

extern "C" common::Connection* open_connection() {
    return new PostgreSql();
}
