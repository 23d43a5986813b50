package main

import (
	"errors"
	"fmt"
	"strconv"
)

// settings say where the database is, and how to talk to it.
type settings struct {
	service, host, port, name, user, password string
	pool                                      int
}

// settingsFrom reads the settings from environment variables.
func settingsFrom(getenv func(string) string) (settings, error) {
	var missing error
	get := func(name string) string {
		value := getenv("TIERBENCH_" + name)
		if value == "" {
			missing = errors.Join(missing, fmt.Errorf("TIERBENCH_%s is not set", name))
		}
		return value
	}
	s := settings{
		service:  get("DB_SERVICE"),
		host:     get("DB_HOST"),
		port:     get("DB_PORT"),
		name:     get("DB_NAME"),
		user:     get("DB_USER"),
		password: get("DB_PASSWORD"),
	}
	pool := get("FACTOR_POOL")
	if missing != nil {
		return settings{}, missing
	}
	size, err := strconv.Atoi(pool)
	if err != nil || size < 1 {
		return settings{}, fmt.Errorf("TIERBENCH_FACTOR_POOL is %q, which is no number of connections", pool)
	}
	s.pool = size
	return s, nil
}
