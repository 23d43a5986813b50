package common

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"
)

const tokenLife = time.Hour

// TokenKey signs the tokens with which users show that they have logged in.
type TokenKey []byte

// Sign returns a token of a user who logs in now.
func (k TokenKey) Sign(user int64) string {
	claim := fmt.Sprintf("%d.%d", user, time.Now().Add(tokenLife).Unix())
	return claim + "." + k.signature(claim)
}

// Verify returns the user of a token, unless it is forged, altered or expired.
func (k TokenKey) Verify(token string) (user int64, ok bool) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 || !hmac.Equal([]byte(parts[2]), []byte(k.signature(parts[0]+"."+parts[1]))) {
		return 0, false
	}
	user, err := strconv.ParseInt(parts[0], 10, 64)
	if err != nil {
		return 0, false
	}
	expires, err := strconv.ParseInt(parts[1], 10, 64)
	return user, err == nil && time.Now().Unix() <= expires
}

func (k TokenKey) signature(claim string) string {
	mac := hmac.New(sha256.New, k)
	mac.Write([]byte(claim))
	return hex.EncodeToString(mac.Sum(nil))
}

// PasswordHash is what the database keeps of a password.
func PasswordHash(nickname, password string) string {
	hash := sha256.Sum256([]byte(nickname + ":" + password))
	return hex.EncodeToString(hash[:])
}
