package main

import (
	"context"
	"crypto/subtle"
	"net/http"

	"tierbench/stacks/go/common"
)

type logInValues struct {
	Title, Action string
	// Hidden are the ids that go along. The template writes them in the order of their names.
	Hidden map[string]int64
}

// logInForm asks a user to log in for what they want to do with these ids.
func logInForm(title, action string, ids ...string) common.Handler {
	return func(r *http.Request) (common.Page, error) {
		form := common.ReadForm(r)
		values := logInValues{Title: title, Action: action, Hidden: map[string]int64{}}
		for _, name := range ids {
			values.Hidden[name] = form.ID(name)
		}
		return common.Page{Template: "log_in.html", Values: values}, form.Err()
	}
}

// logIn is what users type to log in.
type logIn struct{ nickname, password string }

func readLogIn(form *common.Form) logIn {
	return logIn{nickname: form.Nickname("nickname", 20), password: form.Text("password", 20)}
}

// user returns the id of who logs in.
func (s *site) user(ctx context.Context, l logIn) (int64, error) {
	user, err := s.store.credentials(ctx, l.nickname)
	if common.IsMissing(err) {
		return 0, errWrongLogIn
	}
	if err != nil {
		return 0, err
	}
	if subtle.ConstantTimeCompare([]byte(user.Password), []byte(common.PasswordHash(l.nickname, l.password))) != 1 {
		return 0, errWrongLogIn
	}
	return user.ID, nil
}

// bearer returns the user of a token.
func (s *site) bearer(token string) (int64, error) {
	user, ok := s.key.Verify(token)
	if !ok {
		return 0, errWrongToken
	}
	return user, nil
}

func (s *site) registerUser(r *http.Request) (common.Page, error) {
	form := common.ReadForm(r)
	user := User{
		Firstname: form.Text("firstname", 20),
		Lastname:  form.Text("lastname", 20),
		Nickname:  form.Nickname("nickname", 20),
		Email:     form.Email("email", 50),
	}
	user.Password = common.PasswordHash(user.Nickname, form.Text("password", 20))
	user.RegionID = form.ID("region")
	if err := form.Err(); err != nil {
		return common.Page{}, err
	}
	region, err := s.store.region(r.Context(), user.RegionID)
	if common.IsMissing(err) {
		return common.Page{}, common.WrongParameter("region")
	}
	if err != nil {
		return common.Page{}, err
	}
	if taken, err := s.store.isTaken(r.Context(), user.Nickname); err != nil {
		return common.Page{}, err
	} else if taken {
		return common.Page{}, errNicknameTaken(user.Nickname)
	}
	err = s.store.register(r.Context(), &user)
	if common.IsDuplicate(err) {
		err = errNicknameTaken(user.Nickname)
	}
	user.Region = region
	return common.Page{Template: "register_user.html", Values: user}, err
}

func (s *site) aboutMe(r *http.Request) (common.Page, error) {
	form := common.ReadForm(r)
	logIn := readLogIn(form)
	if err := form.Err(); err != nil {
		return common.Page{}, err
	}
	user, err := s.user(r.Context(), logIn)
	if err != nil {
		return common.Page{}, err
	}
	affairs, err := s.store.affairs(r.Context(), user)
	return common.Page{Template: "about_me.html", Values: affairs}, err
}
