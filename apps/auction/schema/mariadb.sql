-- The auction's tables for MariaDB. Money is DECIMAL, instants are UTC, text is compared byte by byte without padding,
-- lengths are in code points. {{ engine }} is InnoDB or MyISAM; there are no foreign keys, because MyISAM has none.

CREATE TABLE categories (
    id INT NOT NULL AUTO_INCREMENT,
    name VARCHAR(50) NOT NULL,
    PRIMARY KEY (id)
) ENGINE={{ engine }} DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE regions (
    id INT NOT NULL AUTO_INCREMENT,
    name VARCHAR(25) NOT NULL,
    PRIMARY KEY (id)
) ENGINE={{ engine }} DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE users (
    id INT NOT NULL AUTO_INCREMENT,
    firstname VARCHAR(20) NOT NULL,
    lastname VARCHAR(20) NOT NULL,
    nickname VARCHAR(20) NOT NULL,
    password CHAR(64) NOT NULL,
    email VARCHAR(50) NOT NULL,
    rating INT NOT NULL,
    balance DECIMAL(12,2) NOT NULL,
    creation_date DATETIME NOT NULL,
    region INT NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY users_nickname (nickname),
    KEY users_region (region)
) ENGINE={{ engine }} DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE items (
    id INT NOT NULL AUTO_INCREMENT,
    name VARCHAR(100) NOT NULL,
    description TEXT NOT NULL,
    initial_price DECIMAL(12,2) NOT NULL,
    quantity INT NOT NULL,
    reserve_price DECIMAL(12,2) NOT NULL,
    buy_now DECIMAL(12,2) NOT NULL,
    nb_of_bids INT NOT NULL,
    max_bid DECIMAL(12,2) NULL,
    start_date DATETIME NOT NULL,
    end_date DATETIME NOT NULL,
    seller INT NOT NULL,
    category INT NOT NULL,
    PRIMARY KEY (id),
    KEY items_category (category, end_date, id),
    KEY items_seller (seller, end_date)
) ENGINE={{ engine }} DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

-- What the (nightly) archiving has moved out of items. Ids are those they had in items.
CREATE TABLE old_items (
    id INT NOT NULL AUTO_INCREMENT,
    name VARCHAR(100) NOT NULL,
    description TEXT NOT NULL,
    initial_price DECIMAL(12,2) NOT NULL,
    quantity INT NOT NULL,
    reserve_price DECIMAL(12,2) NOT NULL,
    buy_now DECIMAL(12,2) NOT NULL,
    nb_of_bids INT NOT NULL,
    max_bid DECIMAL(12,2) NULL,
    start_date DATETIME NOT NULL,
    end_date DATETIME NOT NULL,
    seller INT NOT NULL,
    category INT NOT NULL,
    PRIMARY KEY (id),
    KEY old_items_seller (seller, end_date)
) ENGINE={{ engine }} DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE bids (
    id INT NOT NULL AUTO_INCREMENT,
    user_id INT NOT NULL,
    item_id INT NOT NULL,
    qty INT NOT NULL,
    bid DECIMAL(12,2) NOT NULL,
    max_bid DECIMAL(12,2) NOT NULL,
    date DATETIME NOT NULL,
    PRIMARY KEY (id),
    KEY bids_item (item_id, max_bid),
    KEY bids_user (user_id, item_id)
) ENGINE={{ engine }} DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE comments (
    id INT NOT NULL AUTO_INCREMENT,
    from_user_id INT NOT NULL,
    to_user_id INT NOT NULL,
    item_id INT NOT NULL,
    rating INT NOT NULL,
    date DATETIME NOT NULL,
    comment TEXT NOT NULL,
    PRIMARY KEY (id),
    KEY comments_to_user (to_user_id, date)
) ENGINE={{ engine }} DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

CREATE TABLE buy_now (
    id INT NOT NULL AUTO_INCREMENT,
    buyer_id INT NOT NULL,
    item_id INT NOT NULL,
    qty INT NOT NULL,
    date DATETIME NOT NULL,
    PRIMARY KEY (id),
    KEY buy_now_buyer (buyer_id, date),
    KEY buy_now_item (item_id)
) ENGINE={{ engine }} DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

-- One row: the largest ids of the loaded rows, for stacks that give ids themselves.
CREATE TABLE ids (
    id INT NOT NULL,
    category INT NOT NULL,
    region INT NOT NULL,
    users INT NOT NULL,
    item INT NOT NULL,
    comment INT NOT NULL,
    bid INT NOT NULL,
    buyNow INT NOT NULL,
    PRIMARY KEY (id)
) ENGINE={{ engine }} DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;
