// What the adapters in Go share, copied into each: the answers that are asked, and the credentials.
package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
)

// An answer that a request asks for.
type answer struct {
	Status      int
	Headers     map[string]string
	Json, Items json.RawMessage
	Text        string
	Bytes       []byte
	Throws      any
}

func asked(text string) (a answer, err error) {
	if err = json.Unmarshal([]byte(text), &a); err == nil && a.Throws != nil {
		err = errors.New("asked to throw")
	}
	return a, err
}

func (a answer) bytes() []byte { return slices.Concat(a.Json, a.Bytes, []byte(a.Text)) }

// write sends an answer for which no type was generated.
func (a answer) write(w http.ResponseWriter) error {
	for name, value := range a.Headers {
		w.Header().Set(name, value)
	}
	w.WriteHeader(a.Status)
	_, err := w.Write(a.bytes())
	return err
}

var (
	errCredential = errors.New("no credential that is known")
	errScopes     = errors.New("the credential does not have the scopes")
)

// authenticate refuses a request without the API key, the bearer token, or the password of `user` that has the scopes.
func authenticate(r *http.Request, kind, in, name, scheme string, scopes []string) error {
	credential := ""
	sent, value, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	switch isBasic := strings.EqualFold(scheme, "basic"); {
	case kind == "apiKey" && in == "cookie":
		if cookie, err := r.Cookie(name); err == nil {
			credential = cookie.Value
		}
	case kind == "apiKey" && in == "query":
		credential = r.URL.Query().Get(name)
	case kind == "apiKey":
		credential = r.Header.Get(name)
	case isBasic && strings.EqualFold(sent, "basic"):
		decoded, _ := base64.StdEncoding.DecodeString(value)
		if password, isUser := strings.CutPrefix(string(decoded), "user:"); isUser {
			credential = password
		}
	case !isBasic && strings.EqualFold(sent, "bearer"):
		credential = value
	}
	if credential != "valid" && credential != "admin" {
		return errCredential
	}
	if credential == "valid" && slices.Contains(scopes, "write") {
		return errScopes
	}
	return nil
}
