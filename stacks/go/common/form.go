package common

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/shopspring/decimal"
)

const maxID = 999_999_999

var (
	wholePattern    = regexp.MustCompile(`^(0|[1-9][0-9]*)$`)
	moneyPattern    = regexp.MustCompile(`^[0-9]{1,10}(\.[0-9]{1,2})?$`)
	nicknamePattern = regexp.MustCompile(`^[A-Za-z0-9_.-]+$`)
)

// Form reads the parameters of a request, one after the other. The first wrong one is kept as its fault.
type Form struct {
	request *http.Request
	err     error
}

// ReadForm begins to read a request.
func ReadForm(r *http.Request) *Form {
	return &Form{request: r}
}

// Err refuses the first parameter that was wrong, if one was.
func (f *Form) Err() error {
	return f.err
}

// Text reads what has 1 to most code points. A database takes neither a NUL nor what is no UTF-8.
func (f *Form) Text(name string, most int) string {
	return f.read(name, most, func(string) bool { return true })
}

// Email reads an address.
func (f *Form) Email(name string, most int) string {
	return f.read(name, most, func(value string) bool { return strings.Contains(value, "@") })
}

// Nickname reads what users call themselves.
func (f *Form) Nickname(name string, most int) string {
	return f.read(name, most, nicknamePattern.MatchString)
}

// Choice reads one of some values.
func (f *Form) Choice(name string, values ...string) string {
	return f.read(name, 9, func(value string) bool {
		for _, one := range values {
			if value == one {
				return true
			}
		}
		return false
	})
}

// Whole reads a number in a range.
func (f *Form) Whole(name string, least, most int64) (number int64) {
	f.read(name, len(strconv.FormatInt(most, 10)), func(value string) bool {
		if !wholePattern.MatchString(value) {
			return false
		}
		parsed, err := strconv.ParseInt(value, 10, 64)
		number = parsed
		return err == nil && least <= number && number <= most
	})
	return number
}

// ID reads the id of a row.
func (f *Form) ID(name string) int64 {
	return f.Whole(name, 1, maxID)
}

// Money reads an amount.
func (f *Form) Money(name string) (amount decimal.Decimal) {
	f.read(name, 13, func(value string) bool {
		if !moneyPattern.MatchString(value) {
			return false
		}
		parsed, err := decimal.NewFromString(value)
		amount = parsed
		return err == nil
	})
	return amount
}

func (f *Form) read(name string, most int, allows func(string) bool) string {
	if f.err != nil {
		return ""
	}
	value := f.request.FormValue(name)
	length := utf8.RuneCountInString(value)
	if length < 1 || length > most || !utf8.ValidString(value) || strings.ContainsRune(value, 0) || !allows(value) {
		f.err = WrongParameter(name)
	}
	return value
}

// WrongParameter refuses a parameter.
func WrongParameter(name string) error {
	return &Refusal{Status: http.StatusBadRequest, Text: "The parameter " + name + " is missing, repeated or malformed."}
}
