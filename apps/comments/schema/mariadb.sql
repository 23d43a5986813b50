-- The comments for MariaDB. Text is compared byte by byte without padding, lengths are in code points. {{ engine }} is
-- InnoDB or MyISAM.

CREATE TABLE comments (
    id INT NOT NULL AUTO_INCREMENT,
    name VARCHAR(50) NOT NULL,
    email VARCHAR(80) NOT NULL,
    comment VARCHAR(2048) NOT NULL,
    PRIMARY KEY (id)
) ENGINE={{ engine }} DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;
