package common

import (
	"errors"
	"fmt"
	"strconv"
)

// Settings say where the database is, and how to talk to it.
type Settings struct {
	Service, Host, Port, Name, User, Password string
	// Access is "sql" or "gorm".
	Access string
	Pool   int
	// TokenKey signs log-in tokens. An application without a log-in gets none.
	TokenKey string
}

// settingsFrom reads the settings from environment variables.
func settingsFrom(getenv func(string) string) (Settings, error) {
	var missing error
	get := func(name string) string {
		value := getenv("TIERBENCH_" + name)
		if value == "" {
			missing = errors.Join(missing, fmt.Errorf("TIERBENCH_%s is not set", name))
		}
		return value
	}
	s := Settings{
		Service:  get("DB_SERVICE"),
		Host:     get("DB_HOST"),
		Port:     get("DB_PORT"),
		Name:     get("DB_NAME"),
		User:     get("DB_USER"),
		Password: get("DB_PASSWORD"),
		Access:   get("FACTOR_ACCESS"),
		TokenKey: getenv("TIERBENCH_TOKEN_KEY"),
	}
	pool := get("FACTOR_POOL")
	if missing != nil {
		return Settings{}, missing
	}
	size, err := strconv.Atoi(pool)
	if err != nil || size < 1 {
		return Settings{}, fmt.Errorf("TIERBENCH_FACTOR_POOL is %q, which is no number of connections", pool)
	}
	s.Pool = size
	return s, nil
}
