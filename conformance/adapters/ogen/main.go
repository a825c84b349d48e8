// The server that ogen generates, with a middleware by which the handlers know the declared names of parameters.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"strings"

	ht "github.com/ogen-go/ogen/http"
	"github.com/ogen-go/ogen/middleware"
	"github.com/ogen-go/ogen/ogenerrors"
)

type server struct{ UnimplementedHandler }
type object = map[string]any
type requestKey struct{}

func remember(req middleware.Request, next middleware.Next) (middleware.Response, error) {
	req.SetContext(context.WithValue(req.Context, requestKey{}, req))
	return next(req)
}

func echo(ctx context.Context) []byte {
	req := ctx.Value(requestKey{}).(middleware.Request)
	parts := object{"path": object{}, "query": object{}, "header": object{}, "cookie": object{}}
	for key, value := range req.Params {
		if sent, isSent := plain(reflect.ValueOf(value)); isSent {
			parts[string(key.In)].(object)[key.Name] = sent
		}
	}
	body, _ := plain(reflect.ValueOf(req.Body))
	if read, isRead := body.(object); isRead && strings.HasPrefix(req.Raw.Header.Get("Content-Type"), "text/") {
		body = string(read["bytes"].([]byte))
	}
	parts["body"] = body
	written, err := json.Marshal(parts)
	if err != nil {
		panic(err)
	}
	return written
}

// plain is the value as JSON, and whether it was sent: its optional values are unwrapped, its bytes are base64.
func plain(value reflect.Value) (any, bool) {
	for value.IsValid() && (value.Kind() == reflect.Pointer || value.Kind() == reflect.Interface) {
		value = value.Elem()
	}
	if !value.IsValid() {
		return object(nil), false
	}
	if value.Kind() == reflect.Struct && value.FieldByName("Set").IsValid() {
		inner, _ := plain(value.FieldByName("Value"))
		if null := value.FieldByName("Null"); null.IsValid() && null.Bool() {
			inner = nil
		}
		return inner, value.FieldByName("Set").Bool()
	}
	switch known := value.Interface().(type) {
	case url.URL:
		return known.String(), true
	case ht.MultipartFile:
		data, _ := io.ReadAll(known.File)
		return object{"bytes": data, "filename": known.Name}, true
	case io.Reader:
		data, _ := io.ReadAll(known)
		return object{"bytes": data}, true
	case json.Marshaler:
		return known, true
	}
	switch value.Kind() {
	case reflect.Map:
		found := object{}
		for _, key := range value.MapKeys() {
			found[key.String()], _ = plain(value.MapIndex(key))
		}
		return found, !value.IsNil()
	case reflect.Slice:
		if value.IsNil() || value.Type() == reflect.TypeFor[[]byte]() {
			return value.Interface(), !value.IsNil()
		}
		if value.Type().Elem().Kind() == reflect.Uint8 {
			return json.RawMessage(value.Bytes()), true // jx.Raw, a text of JSON
		}
		list := make([]any, value.Len())
		for i := range list {
			list[i], _ = plain(value.Index(i))
		}
		return list, true
	case reflect.Struct:
		fields := object{}
		for i := range value.NumField() {
			name, _, _ := strings.Cut(value.Type().Field(i).Tag.Get("json"), ",")
			if field, isSent := plain(value.Field(i)); isSent && name != "" {
				fields[name] = field
			}
		}
		return fields, true
	}
	return value.Interface(), true
}

// check looks at a credential: its APIKey, its Token, or the Password of its Username.
func check(credential any) error {
	value := reflect.ValueOf(credential)
	if name := value.FieldByName("Username"); name.IsValid() && name.String() != "user" {
		return errCredential
	}
	scopes := []string{}
	for _, name := range []string{"Roles", "Scopes"} {
		if field := value.FieldByName(name); field.IsValid() {
			scopes = field.Interface().([]string)
		}
	}
	for _, name := range []string{"APIKey", "Token", "Password"} {
		if field := value.FieldByName(name); field.IsValid() {
			return allowed(field.String(), scopes)
		}
	}
	return errCredential
}

func main() {
	handler, err := newServer(WithMiddleware(remember), WithErrorHandler(func(ctx context.Context, w http.ResponseWriter, r *http.Request, err error) {
		if errors.Is(err, errScopes) {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		ogenerrors.DefaultErrorHandler(ctx, w, r, err)
	}))
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), handler))
}
