/// The driver of MariaDB, over its Connector/C.

#include <mysql.h>

#include <algorithm>
#include <map>

#include "common/database.hpp"
#include "common/environment.hpp"

namespace {

using common::Values;

/// Seconds to wait for a database that doesn't answer.
constexpr unsigned connect_timeout = 10;

struct Close {
    void operator()(MYSQL* handle) const { mysql_close(handle); }
    void operator()(MYSQL_STMT* statement) const { mysql_stmt_close(statement); }
    void operator()(MYSQL_RES* result) const { mysql_free_result(result); }
};

using Handle = std::unique_ptr<MYSQL, Close>;
using Statement = std::unique_ptr<MYSQL_STMT, Close>;
using Metadata = std::unique_ptr<MYSQL_RES, Close>;

/// A place for text, to be sent or to be filled.
MYSQL_BIND place(char* text, std::size_t size) {
    MYSQL_BIND bind{};
    bind.buffer_type = MYSQL_TYPE_STRING;
    bind.buffer = text;
    bind.buffer_length = size;
    return bind;
}

/// Room for one row of a result. The whole result has been received, so that the longest texts are known.
class RowBuffer {
  public:
    RowBuffer(MYSQL_STMT* statement, const MYSQL_RES* metadata)
        : binds_(metadata->field_count), texts_(binds_.size()), lengths_(binds_.size()) {
        for (std::size_t at = 0; at < binds_.size(); ++at) {
            texts_[at].resize(metadata->fields[at].max_length);
            binds_[at] = place(texts_[at].data(), texts_[at].size());
            binds_[at].length = &lengths_[at];
        }
        if (mysql_stmt_bind_result(statement, binds_.data()) != 0) {
            throw common::DatabaseError(mysql_stmt_error(statement));
        }
    }

    std::size_t size() const { return binds_.size(); }
    std::string_view text(std::size_t at) const { return {texts_[at].data(), lengths_[at]}; }

  private:
    std::vector<MYSQL_BIND> binds_;
    std::vector<std::string> texts_;
    std::vector<unsigned long> lengths_;
};

class MariaDb final : public common::Connection {
  public:
    MariaDb() : handle_(mysql_init(nullptr)) {
        mysql_optionsv(handle_.get(), MYSQL_SET_CHARSET_NAME, "utf8mb4");
        mysql_optionsv(handle_.get(), MYSQL_OPT_CONNECT_TIMEOUT, &connect_timeout);
        const common::DatabaseAddress at;
        const auto port = static_cast<unsigned>(std::stoul(at.port));
        if (mysql_real_connect(handle_.get(), at.host.c_str(), at.user.c_str(), at.password.c_str(),
                               at.name.c_str(), port, nullptr, 0) == nullptr) {
            throw common::DatabaseError(mysql_error(handle_.get()));
        }
    }

    common::Rows query(std::string_view text, Values values) override {
        MYSQL_STMT* statement = execute(text, values);
        check(statement, mysql_stmt_store_result(statement));
        const Metadata metadata{mysql_stmt_result_metadata(statement)};
        if (metadata == nullptr) {
            throw common::DatabaseError("only statements that return rows are queries");
        }
        std::vector<std::string> columns;
        for (unsigned at = 0; at < metadata->field_count; ++at) {
            columns.emplace_back(metadata->fields[at].name);
        }
        common::Rows rows{std::move(columns)};
        const RowBuffer row{statement, metadata.get()};
        int fetched = 0;
        while ((fetched = mysql_stmt_fetch(statement)) == 0) {
            for (std::size_t at = 0; at < row.size(); ++at) {
                rows.add(row.text(at));
            }
        }
        check(statement, fetched != MYSQL_NO_DATA);
        mysql_stmt_free_result(statement);
        return rows;
    }

    std::int64_t insert(std::string_view text, Values values) override {
        return static_cast<std::int64_t>(mysql_stmt_insert_id(execute(text, values)));
    }

    int socket() const override { return static_cast<int>(mysql_get_socket(handle_.get())); }

  private:
    MYSQL_STMT* execute(std::string_view text, Values values) {
        MYSQL_STMT* statement = prepared(text);
        if (mysql_stmt_param_count(statement) != values.size()) {
            throw common::DatabaseError("a statement needs a value for each question mark");
        }
        std::vector<MYSQL_BIND> binds;
        for (const std::string_view value : values) {
            // Values are only read, but the structure is the same for both ways.
            binds.push_back(place(const_cast<char*>(value.data()), value.size()));
        }
        if (!binds.empty()) {
            check(statement, mysql_stmt_bind_param(statement, binds.data()));
        }
        check(statement, mysql_stmt_execute(statement));
        return statement;
    }

    MYSQL_STMT* prepared(std::string_view text) {
        if (const auto found = statements_.find(text); found != statements_.end()) {
            return found->second.get();
        }
        Statement statement{mysql_stmt_init(handle_.get())};
        const my_bool yes = 1;
        mysql_stmt_attr_set(statement.get(), STMT_ATTR_UPDATE_MAX_LENGTH, &yes);
        check(statement.get(), mysql_stmt_prepare(statement.get(), text.data(), text.size()));
        return statements_.emplace(text, std::move(statement)).first->second.get();
    }

    static void check(MYSQL_STMT* statement, int failed) {
        if (failed != 0) {
            throw common::DatabaseError(mysql_stmt_error(statement));
        }
    }

    Handle handle_;
    // After the handle, so that they are closed before it.
    std::map<std::string, Statement, std::less<>> statements_;
};

}  // namespace

extern "C" common::Connection* open_connection() {
    return new MariaDb();
}
