package common

import (
	"fmt"
	"testing"
	"time"
)

func TestATokenHoldsForItsUserUntilItExpires(t *testing.T) {
	key := TokenKey("secret")
	if user, ok := key.Verify(key.Sign(17)); !ok || user != 17 {
		t.Errorf("a token of user 17 is that of %d: %v", user, ok)
	}
	over := fmt.Sprintf("17.%d", time.Now().Add(-time.Minute).Unix())
	for _, wrong := range []string{"", "17", over + "." + key.signature(over), TokenKey("other").Sign(17), "1" + key.Sign(17)} {
		if _, ok := key.Verify(wrong); ok {
			t.Errorf("%q is accepted", wrong)
		}
	}
}
