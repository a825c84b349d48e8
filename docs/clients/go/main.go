// Signs up, adds pets, lists them page by page, and shows an error and a 429.
package main

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"regexp"

	"example.com/petstore-example/petstore"
	"github.com/google/uuid"
	openapi "github.com/oapi-codegen/runtime/types"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

var next = regexp.MustCompile(`<([^>]*)>; rel="next"`)

func main() {
	ctx, server := context.Background(), cmp.Or(os.Getenv("BASE_URL"), "http://localhost:3000")
	signUp := must(petstore.NewClientWithResponses(server))
	email := openapi.Email(uuid.NewString() + "@example.com")
	account := must(signUp.CreateAccountWithResponse(ctx, nil, petstore.NewAccount{Email: email})).JSON201
	client := must(petstore.NewClientWithResponses(server, petstore.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+account.ApiKey)
		return nil
	})))

	category := must(client.CreateCategoryWithResponse(ctx, nil, petstore.NewCategory{Name: "Dogs"})).JSON201
	for _, name := range []string{"Rex", "Bo", "Ida"} {
		// With an Idempotency-Key the request can be sent again until there is an answer.
		key := uuid.NewString()
		created := must(client.CreatePetWithResponse(ctx, &petstore.CreatePetParams{IdempotencyKey: &key}, petstore.NewPet{Name: name, CategoryId: category.Id}))
		fmt.Println("created", created.JSON201.Name, created.Headers201.Location)
	}

	limit := petstore.Limit(2)
	for params := (&petstore.ListPetsParams{Limit: &limit}); params != nil; {
		page := must(client.ListPetsWithResponse(ctx, params))
		fmt.Println("page", len(*page.JSON200))
		params = nil
		if page.Headers200.Link != nil {
			link := must(url.Parse(next.FindStringSubmatch(*page.Headers200.Link)[1]))
			cursor := link.Query().Get("cursor")
			params = &petstore.ListPetsParams{Limit: &limit, Cursor: &cursor}
		}
	}

	missing := must(client.GetStorePetWithResponse(ctx, 9007199254740991, nil))
	fmt.Println("error", missing.StatusCode(), missing.JSON404.Code)

	page := must(client.ListPetsWithResponse(ctx, nil))
	for page.JSON429 == nil {
		page = must(client.ListPetsWithResponse(ctx, nil))
	}
	fmt.Println("limited", page.JSON429.Code)
	fmt.Println("retry after", page.Headers429.RetryAfter, "s")
}
