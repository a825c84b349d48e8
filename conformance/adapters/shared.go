// What the adapters in Go share, copied into each: the answers that are asked, and the credentials.
package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
)

// An answer that a request asks for.
type answer struct {
	Status  int
	Headers map[string]string
	Json    json.RawMessage
	Text    string
	Bytes   []byte
	Items   []json.RawMessage
	Throws  any
}

func asked(text string) (a answer, err error) {
	if err = json.Unmarshal([]byte(text), &a); err == nil && a.Throws != nil {
		err = errors.New("asked to throw")
	}
	return a, err
}

// is tells whether the type that was generated for a status and a media type holds such an answer.
func (a answer) is(status, media string) bool {
	code := fmt.Sprint(a.Status)
	isJson := strings.Contains(strings.ToLower(media), "json")
	return slices.Contains([]string{code, code[:1] + "XX", "default"}, status) && (media == "" || isJson == (a.Json != nil || a.Items != nil && isJson))
}

var errType = errors.New("no type was generated for such an answer")

// fill writes the answer into the type that was generated for it: its status, its declared headers and its body.
func (a answer) fill(target any) error {
	response := reflect.ValueOf(target).Elem()
	field := func(name string) (found reflect.Value) {
		if response.Kind() == reflect.Struct {
			found = response.FieldByName(name)
		}
		return found
	}
	if status := field("StatusCode"); status.IsValid() {
		status.SetInt(int64(a.Status))
	}
	headers, isWrapped := field("Headers"), field("Response").IsValid()
	if isWrapped || !headers.IsValid() && a.Json == nil && response.Kind() == reflect.Struct {
		headers = response
	}
	for name, text := range a.Headers {
		isNamed := func(each string) bool { return strings.EqualFold(each, strings.ReplaceAll(name, "-", "")) }
		if headers.IsValid() && headers.FieldByNameFunc(isNamed).IsValid() {
			if err := parse(text, headers.FieldByNameFunc(isNamed)); err != nil {
				return err
			}
		}
	}
	body := response
	for _, name := range []string{"Body", "Response", "Data"} {
		if found := field(name); found.IsValid() && (name != "Data" || found.Kind() == reflect.Interface) {
			body = found
			response = found
		}
	}
	if reader, isReader := body.Addr().Interface().(*io.Reader); isReader {
		*reader = bytes.NewReader(a.bytes(fmt.Sprintf("%T", target)))
	} else if a.Json != nil && body.Kind() == reflect.Slice && body.Type().Elem().Kind() == reflect.Uint8 {
		body.SetBytes(a.Json)
	} else if a.Json != nil {
		return json.Unmarshal(a.Json, body.Addr().Interface())
	} else if body.Kind() == reflect.String {
		body.SetString(a.Text)
	}
	return nil
}

// parse reads a header into the type of its schema.
func parse(text string, into reflect.Value) error {
	if into.Kind() == reflect.Struct && into.FieldByName("Set").IsValid() {
		into.FieldByName("Set").SetBool(true)
		into = into.FieldByName("Value")
	}
	if into.Kind() == reflect.Pointer {
		into.Set(reflect.New(into.Type().Elem()))
		into = into.Elem()
	}
	quoted, _ := json.Marshal(text)
	if into.Kind() == reflect.String {
		text = string(quoted)
	} else if into.Kind() == reflect.Slice {
		text = "[" + text + "]"
	}
	if err := json.Unmarshal([]byte(text), into.Addr().Interface()); err != nil && json.Unmarshal(quoted, into.Addr().Interface()) != nil {
		return err
	}
	return nil
}

// bytes are those of the answer, for the media type that the name of a type has.
func (a answer) bytes(name string) []byte {
	written := slices.Concat(a.Json, a.Bytes, []byte(a.Text))
	for _, item := range a.Items {
		if !strings.Contains(strings.ToLower(name), "eventstream") {
			written = slices.Concat(written, item, []byte("\n"))
			continue
		}
		event := map[string]json.RawMessage{}
		_ = json.Unmarshal(item, &event)
		for _, field := range []string{"event", "id", "retry", "data"} {
			if value, isSent := event[field]; isSent {
				text := string(value)
				_ = json.Unmarshal(value, &text)
				for line := range strings.SplitSeq(text, "\n") {
					written = fmt.Appendf(written, "%s: %s\n", field, line)
				}
			}
		}
		written = append(written, '\n')
	}
	return written
}

var (
	errCredential = errors.New("no credential that is known")
	errScopes     = errors.New("the credential does not have the scopes")
)

func allowed(credential string, scopes []string) error {
	if credential != "valid" && credential != "admin" {
		return errCredential
	}
	if credential == "valid" && slices.Contains(scopes, "write") {
		return errScopes
	}
	return nil
}

// credentialOf is the API key, the bearer token, or the password of `user`.
func credentialOf(r *http.Request, kind, in, name, scheme string) string {
	sent, value, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	switch isBasic := strings.EqualFold(scheme, "basic"); {
	case kind == "apiKey" && in == "cookie":
		if cookie, err := r.Cookie(name); err == nil {
			return cookie.Value
		}
	case kind == "apiKey" && in == "query":
		return r.URL.Query().Get(name)
	case kind == "apiKey":
		return r.Header.Get(name)
	case isBasic && strings.EqualFold(sent, "basic"):
		decoded, _ := base64.StdEncoding.DecodeString(value)
		if password, isUser := strings.CutPrefix(string(decoded), "user:"); isUser {
			return password
		}
	case !isBasic && strings.EqualFold(sent, "bearer"):
		return value
	}
	return ""
}
