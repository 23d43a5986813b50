-- The bookstore's tables for MariaDB, with the columns of TPC-W and four more: what a copy was sold for (ol_price), which
-- order became of a cart (sc_o_id), and keys of their own for the lines of orders and carts. Money is DECIMAL, instants are
-- UTC, text is compared byte by byte without padding, lengths are in code points. {{ engine }} is InnoDB or MyISAM; there
-- are no foreign keys, because MyISAM has none.

CREATE TABLE country (
    co_id INT NOT NULL AUTO_INCREMENT,
    co_name VARCHAR(50) NOT NULL,
    -- What one unit of the currency is worth, in millionths of a dollar.
    co_exchange INT NOT NULL,
    co_currency VARCHAR(18) NOT NULL,
    PRIMARY KEY (co_id),
    KEY country_name (co_name)
) ENGINE={{ engine }} DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE address (
    addr_id INT NOT NULL AUTO_INCREMENT,
    addr_street1 VARCHAR(40) NOT NULL,
    addr_street2 VARCHAR(40) NOT NULL,
    addr_city VARCHAR(30) NOT NULL,
    addr_state VARCHAR(20) NOT NULL,
    addr_zip VARCHAR(10) NOT NULL,
    addr_co_id INT NOT NULL,
    PRIMARY KEY (addr_id),
    KEY address_country (addr_co_id),
    KEY address_zip (addr_zip)
) ENGINE={{ engine }} DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE customer (
    c_id INT NOT NULL AUTO_INCREMENT,
    c_uname VARCHAR(20) NOT NULL,
    c_passwd CHAR(64) NOT NULL,
    c_fname VARCHAR(17) NOT NULL,
    c_lname VARCHAR(17) NOT NULL,
    c_addr_id INT NOT NULL,
    c_phone VARCHAR(18) NOT NULL,
    c_email VARCHAR(50) NOT NULL,
    c_since DATETIME NOT NULL,
    c_last_login DATETIME NOT NULL,
    c_login DATETIME NOT NULL,
    c_expiration DATETIME NOT NULL,
    -- In percent.
    c_discount INT NOT NULL,
    c_balance DECIMAL(12,2) NOT NULL,
    c_ytd_pmt DECIMAL(12,2) NOT NULL,
    c_birthdate DATETIME NOT NULL,
    c_data VARCHAR(500) NOT NULL,
    PRIMARY KEY (c_id),
    UNIQUE KEY customer_uname (c_uname),
    KEY customer_address (c_addr_id)
) ENGINE={{ engine }} DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE author (
    a_id INT NOT NULL AUTO_INCREMENT,
    a_fname VARCHAR(20) NOT NULL,
    a_lname VARCHAR(20) NOT NULL,
    a_mname VARCHAR(20) NOT NULL,
    a_dob DATETIME NOT NULL,
    a_bio VARCHAR(500) NOT NULL,
    PRIMARY KEY (a_id),
    KEY author_lname (a_lname)
) ENGINE={{ engine }} DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE item (
    i_id INT NOT NULL AUTO_INCREMENT,
    i_title VARCHAR(60) NOT NULL,
    i_a_id INT NOT NULL,
    i_pub_date DATETIME NOT NULL,
    i_publisher VARCHAR(60) NOT NULL,
    i_subject VARCHAR(60) NOT NULL,
    i_desc VARCHAR(500) NOT NULL,
    i_related1 INT NOT NULL,
    i_related2 INT NOT NULL,
    i_related3 INT NOT NULL,
    i_related4 INT NOT NULL,
    i_related5 INT NOT NULL,
    i_thumbnail VARCHAR(40) NOT NULL,
    i_image VARCHAR(40) NOT NULL,
    i_srp DECIMAL(12,2) NOT NULL,
    i_cost DECIMAL(12,2) NOT NULL,
    i_avail DATETIME NOT NULL,
    i_stock INT NOT NULL,
    i_isbn VARCHAR(13) NOT NULL,
    i_page INT NOT NULL,
    i_backing VARCHAR(15) NOT NULL,
    i_dimensions VARCHAR(25) NOT NULL,
    PRIMARY KEY (i_id),
    KEY item_title (i_title),
    KEY item_subject (i_subject),
    KEY item_author (i_a_id)
) ENGINE={{ engine }} DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE orders (
    o_id INT NOT NULL AUTO_INCREMENT,
    o_c_id INT NOT NULL,
    o_date DATETIME NOT NULL,
    o_sub_total DECIMAL(12,2) NOT NULL,
    o_tax DECIMAL(12,2) NOT NULL,
    o_total DECIMAL(12,2) NOT NULL,
    o_ship_type VARCHAR(10) NOT NULL,
    o_ship_date DATETIME NOT NULL,
    o_bill_addr_id INT NOT NULL,
    o_ship_addr_id INT NOT NULL,
    o_status VARCHAR(15) NOT NULL,
    PRIMARY KEY (o_id),
    KEY orders_customer (o_c_id)
) ENGINE={{ engine }} DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE order_line (
    ol_id INT NOT NULL AUTO_INCREMENT,
    ol_o_id INT NOT NULL,
    ol_i_id INT NOT NULL,
    ol_qty INT NOT NULL,
    -- The customer's, in percent; it is taken off already in ol_price, the price of one copy.
    ol_discount INT NOT NULL,
    ol_price DECIMAL(12,2) NOT NULL,
    ol_comments VARCHAR(110) NOT NULL,
    PRIMARY KEY (ol_id),
    KEY order_line_order (ol_o_id),
    KEY order_line_item (ol_i_id)
) ENGINE={{ engine }} DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE cc_xacts (
    cx_o_id INT NOT NULL,
    cx_type VARCHAR(10) NOT NULL,
    -- All but its last four digits are stars.
    cx_num VARCHAR(20) NOT NULL,
    cx_name VARCHAR(30) NOT NULL,
    cx_expire DATETIME NOT NULL,
    cx_auth_id CHAR(15) NOT NULL,
    cx_xact_amt DECIMAL(12,2) NOT NULL,
    cx_xact_date DATETIME NOT NULL,
    cx_co_id INT NOT NULL,
    PRIMARY KEY (cx_o_id)
) ENGINE={{ engine }} DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE shopping_cart (
    sc_id INT NOT NULL AUTO_INCREMENT,
    sc_time DATETIME NOT NULL,
    -- The order that it became.
    sc_o_id INT NULL,
    PRIMARY KEY (sc_id)
) ENGINE={{ engine }} DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE shopping_cart_line (
    scl_id INT NOT NULL AUTO_INCREMENT,
    scl_sc_id INT NOT NULL,
    scl_i_id INT NOT NULL,
    scl_qty INT NOT NULL,
    PRIMARY KEY (scl_id),
    -- Not unique, for then a line that comes back would lock its neighbours; who has the cart keeps others out.
    KEY shopping_cart_line_cart (scl_sc_id, scl_i_id),
    KEY shopping_cart_line_item (scl_i_id)
) ENGINE={{ engine }} DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;
