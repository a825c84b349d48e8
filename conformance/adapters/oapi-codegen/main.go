// The strict server, behind the middleware that validates requests.
package main

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"os"
	"reflect"
	"strings"

	"github.com/getkin/kin-openapi/openapi3filter"
	middleware "github.com/oapi-codegen/nethttp-middleware"
	"github.com/oapi-codegen/runtime/types"
)

type server struct{}
type parameter struct{ in, name string }
type object = map[string]any

// fields are those of a struct that was generated, by their names in the document.
func fields(from reflect.Value) object {
	found := object{}
	for i := range from.NumField() {
		name, _, _ := strings.Cut(from.Type().Field(i).Tag.Get("json"), ",")
		if value := from.Field(i); name != "" && (value.Kind() != reflect.Pointer || !value.IsNil()) {
			found[name] = value.Interface()
		}
	}
	return found
}

func echo(request, multipart any, parameters []parameter) object {
	parts, decoded := object{"path": object{}, "query": object{}, "header": object{}, "cookie": object{}}, reflect.ValueOf(request)
	for _, each := range parameters {
		from := decoded
		if each.in != "path" {
			from = decoded.FieldByName("Params")
		}
		if value, isSent := fields(from)[each.name]; isSent {
			parts[each.in].(object)[each.name] = value
		}
	}
	for i := range decoded.NumField() {
		if field := decoded.Field(i); strings.HasSuffix(decoded.Type().Field(i).Name, "Body") && !field.IsNil() {
			parts["body"] = plain(field.Interface())
		}
	}
	if multipart != nil {
		body := fields(reflect.ValueOf(multipart))
		for name, value := range body {
			body[name] = plain(value)
		}
		parts["body"] = body
	}
	return parts
}

// plain writes bytes as base64, and files with their names.
func plain(value any) any {
	switch value := value.(type) {
	case io.Reader:
		data, _ := io.ReadAll(value)
		return object{"bytes": data}
	case *types.File:
		return plain(*value)
	case types.File:
		data, _ := value.Bytes()
		return object{"bytes": data, "filename": value.Filename()}
	case *[]types.File:
		return plain(*value)
	case []types.File:
		list := make([]any, len(value))
		for i, file := range value {
			list[i] = plain(file)
		}
		return list
	}
	return value
}

func main() {
	spec, err := GetSpec()
	if err != nil {
		log.Fatal(err)
	}
	check := func(_ context.Context, input *openapi3filter.AuthenticationInput) error {
		scheme := input.SecurityScheme
		return allowed(credentialOf(input.RequestValidationInput.Request, scheme.Type, scheme.In, scheme.Name, scheme.Scheme), input.Scopes)
	}
	refuse := func(_ context.Context, err error, w http.ResponseWriter, _ *http.Request, opts middleware.ErrorHandlerOpts) {
		var refused *openapi3filter.SecurityRequirementsError
		if errors.As(err, &refused) && errors.Is(errors.Join(refused.Errors...), errScopes) {
			opts.StatusCode = http.StatusForbidden
		}
		http.Error(w, err.Error(), opts.StatusCode)
	}
	validate := middleware.OapiRequestValidatorWithOptions(spec, &middleware.Options{
		DoNotValidateServers: true, Options: openapi3filter.Options{AuthenticationFunc: check}, ErrorHandlerWithOpts: refuse,
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), validate(Handler(NewStrictHandler(server{}, nil)))))
}
