package common

import (
	"strings"
	"testing"
)

func TestAllMissingSettingsAreNamed(t *testing.T) {
	_, err := settingsFrom(func(name string) string {
		return map[string]string{"TIERBENCH_DB_HOST": "127.0.0.1"}[name]
	})
	if err == nil || !strings.Contains(err.Error(), "DB_SERVICE") || !strings.Contains(err.Error(), "FACTOR_POOL") {
		t.Errorf("the fault is %v", err)
	}
}

func TestAPoolHasAtLeastOneConnection(t *testing.T) {
	for _, pool := range []string{"0", "-1", "many"} {
		if _, err := settingsFrom(func(string) string { return pool }); err == nil {
			t.Errorf("a pool of %s connections is accepted", pool)
		}
	}
}
